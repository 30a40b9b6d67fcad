import { describe, expect, it } from '@jest/globals'
import { summaryOf } from './summary.ts'

describe('the summary of a body', () => {
  it('is its first sentences without Markdown', () => {
    const body =
      '# Title\n\nThe **cache** was [cold](https://x.org). It _failed_.\n\n```\ncode\n```'

    expect(summaryOf(body)).toBe('Title The cache was cold. It failed.')
  })

  it('is the code of a body that consists only of code', () => {
    expect(summaryOf('```js\nconst a = 1\n\nrun(a)\n```\n\n~~~\nok\n~~~')).toBe(
      'const a = 1 run(a) ok',
    )
    expect(summaryOf('> ```\n> $ make\n')).toBe('$ make')
    expect(summaryOf('<!-- nothing is shown -->')).toBe('')
  })

  it('keeps names with underscores whole', () => {
    expect(summaryOf('Set max_ack_pending to `64`.')).toBe('Set max_ack_pending to 64.')
  })

  it('does not end a sentence at a decimal point', () => {
    expect(summaryOf('From 0.05 to 13.9 %. Then 99.99 % of it!')).toBe(
      'From 0.05 to 13.9 %. Then 99.99 % of it!',
    )
  })

  it('ends no sentence at a dot that stands alone, but at such a question mark', () => {
    const cause = 'The cause was one line of the file.'

    expect(summaryOf(`${cause} Vraiment ? ${'copies '.repeat(40)}all.`)).toBe(`${cause} Vraiment ?`)
    expect(summaryOf(`${cause} Its \`COPY . .\` ${'copies '.repeat(40)}all.`)).toBe(cause)
  })

  it('never ends with half a character', () => {
    const body = `Intro. ${' '.repeat(3_992)}🙂 end`

    expect(summaryOf(body)).toBe('Intro.')
  })

  it.each([
    'It is slow when n < 10 and p > 0.5',
    'It returns Map<string, number> or Promise<void>',
    'Use std::vector<std::unique_ptr<T>> and #include <stdio.h>',
    'The query is SELECT * FROM jobs, and 2 * 3 * 4 is 24',
    'The key is in ~/.ssh/config, about ~5 lines down',
    'Write __init__ with *args and **kwargs, in __init__.py',
    'It is a || b, or if (a<b && c>d) then',
    'Write --- or a == b, and *** too',
    'Set _max_ack_pending, or max_ack_pending',
    'Use grid[x][y] and a[0][1]',
    'Run it with [options][file], see [1]',
    '[1]: a note, and not an address',
    'It is [^a-z] or [^1]',
    '[x] it, - [x], \\[ ] and [!NOTE] that',
    '[hosts]: /etc/hosts (the file) is wrong',
    '[error]: https://x.y/z "GET /a" 502, and it failed',
    'It gets a=1&lt=2&amp or &unknown; &#0; &#x110000; or &#xd800;',
  ])('keeps text that only looks like Markdown: %s', (text) => {
    expect(summaryOf(text)).toBe(text)
  })

  it('resolves links whose addresses are far below', () => {
    expect(summaryOf(`See [it][1].\n\n${'x'.repeat(4_000)}\n\n[1]: https://x.y/z`)).toBe('See it.')
  })

  it('does not treat decoded entities as markup', () => {
    expect(summaryOf('&lt;b&gt; &amp;lt; &#42;&#42;x&#42;&#42; `&lt;`')).toBe('<b> &lt; **x** &lt;')
  })

  it('keeps the text between backticks unchanged', () => {
    expect(summaryOf('Use `<b>**x**</b>`, ``a `b` | c`` and **`__all__`**, not `[a](b)`.')).toBe(
      'Use <b>**x**</b>, a `b` | c and __all__, not [a](b).',
    )
  })

  it.each([
    ['See [the docs](http://x.y/a_(b)) first.', 'See the docs first.'],
    ['[![build](https://x.y/b.svg)](https://x.y) It works.', 'build It works.'],
    [
      'See [the docs][1], [Both][] and [both].\n\n[1]: https://x.y/z "A title"\n[both]: </z>\n\nSo.',
      'See the docs, Both and both. So.',
    ],
    ['See [it](/a) and [it].\n\n[it]: /b', 'See it and it.'],
    ["[a] or [b].\n\n[a]: /a 'A title'  \n[b]: /b (A title)", 'a or b.'],
    ['[![build][b]][c] It works.\n\n[b]: https://x.y/b.svg\n[c]: #c', 'build It works.'],
    [
      'R&amp;D &lt;T&gt; &quot;a&quot;&nbsp;&#39;b&#x27; &copy; 2026 &mdash; it',
      'R&D <T> "a" \'b\' © 2026 — it',
    ],
    ['It is at <https://x.y/z> now.', 'It is at https://x.y/z now.'],
    ['H<sub>2</sub>O<br/>and <a href="https://x.y" title=\'a\'>this</a>.', 'H2O and this.'],
    [
      '**bold with _one *nested* word_ in** it, ~~not~~ so.',
      'bold with one nested word in it, not so.',
    ],
    ['__Note well:__ _use max_ack_pending here_!', 'Note well: use max_ack_pending here!'],
    ['| a | b |\n|---|:-:|\n| 1 | 2 |', 'a b 1 2'],
    ['Title\n=====\n\nOne.\n\n---\n\nTwo.\n* * *\nPart\n----', 'Title One. Two. Part'],
    ['- a\n    - b\n      1. c\n\t- d\n- > e\n- # f', 'a b c d e f'],
    ['> One.\n>\n> - Two.\n> > Three.\n\n#\n\nFour.', 'One. Two. Three. Four.'],
    [
      '# 1. It fails\n\n    > sh\n    # as root\n\n-x and\n5.',
      '1. It fails > sh # as root -x and 5.',
    ],
    ['1. [x] It runs\n   - [ ] also so\n\n> * [X] here', '☑ It runs ☐ also so ☑ here'],
    ['It fails[^1][^Why], [so](/a)[^1].\n\n[^why]: Seen.\n[^1]: /a', 'It fails, so. Seen. /a'],
    ['> [!NOTE]\n> It is slow.\n\n>[!warning] \n> Stop.', 'Note: It is slow. Warning: Stop.'],
    ['Before.\n\n- ~~~sh\n  rm -r x\n  ~~~\n- After.', 'Before. After.'],
  ])('removes the Markdown of %j', (markdown, plain) => {
    expect(summaryOf(markdown)).toBe(plain)
  })

  it('is cut at 280 code points, between sentences if possible', () => {
    const sentence = `${'word '.repeat(30).trim()}. `

    expect(summaryOf(sentence.repeat(3))).toBe(sentence.trim())
    expect([...summaryOf('🙂'.repeat(400))].length).toBe(280)
  })
})
