import { describe, expect, it } from '@jest/globals'
import { visibleText } from './visible-text.ts'

describe('visible text', () => {
  it('shows invisible characters by name and keeps line breaks', () => {
    expect(visibleText('a\u200b\nb\u{e0041}\u{e0042}\u{e0043}\u{e0044}').toString()).toBe(
      'a<span class="hidden-text">U+200B</span>\nb<span class="hidden-text">U+E0041 U+E0042 U+E0043 +1 “ABCD”</span>',
    )
  })

  it('is cut off at a maximum length', () => {
    expect(visibleText('x'.repeat(100), 10).toString()).toBe(`${'x'.repeat(10)}…`)
    expect(visibleText('🦉'.repeat(100), 10).toString()).toBe(`${'🦉'.repeat(10)}…`)
  })

  it('has no ellipsis if it has exactly the maximum number of characters', () => {
    for (const text of ['🦉'.repeat(10), `${'🦉'.repeat(9)}x`, 'x'.repeat(10)]) {
      expect(visibleText(text, 10).toString()).toBe(text)
    }
  })
})
