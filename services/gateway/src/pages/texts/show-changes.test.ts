import { describe, expect, it } from '@jest/globals'
import { stacksMarks } from '../html.ts'
import { showChanges } from './show-changes.ts'
import { newComparisonBudget } from './text-changes.ts'

const show = (before: string, after: string) =>
  showChanges(before, after, newComparisonBudget())
    .toString()
    .replace(/^<pre[^>]*>/, '')
    .replace('</pre>', '')

describe('the shown changes of a text', () => {
  it('mark the removed and the added text', () => {
    expect(show('<b>nine</b>', '<b>four</b>')).toBe(
      '&lt;b&gt;<del>nine</del><ins>four</ins>&lt;/b&gt;',
    )
  })

  it('omit unchanged lines far from a change, and show their number', () => {
    const lines = [...'abcdefghij'].join('\n')

    expect(show(`${lines}\nold`, `${lines}\nnew`)).toBe(
      '<span class="omitted">8 unchanged lines\n</span>i\nj\n<del>old</del><ins>new</ins>',
    )
    expect(show(`x\n${lines}`, `y\n${lines}`)).toContain('</ins>a\nb\n<span class="omitted">8 unch')
  })

  it('show invisible characters by name', () => {
    expect(show('it may pass', 'it may pa\u200bss')).toBe(
      'it may <del>pass</del><ins>pa<span class="hidden-text">U+200B</span>ss</ins>',
    )
    expect(show('a b', 'a\tb')).toBe('a<del>·</del><ins>→</ins>b')
    expect(show('a\nb', 'a\n\nb')).toBe('a\n<ins>↵\n</ins>b')
  })

  it('do not name the joiners that a script needs', () => {
    expect(show('می‌خواهم', 'نمی‌خواهم')).toBe('<del>می‌خواهم</del><ins>نمی‌خواهم</ins>')
  })

  it('limit the combining marks on a letter', () => {
    const marks = '\u0301'.repeat(4)

    expect(stacksMarks(show(`a${marks}`, `a${marks}${marks}`))).toBe(false)
    expect(stacksMarks(show('a\n', `a\n${marks}\n${marks}`))).toBe(false)
  })
})
