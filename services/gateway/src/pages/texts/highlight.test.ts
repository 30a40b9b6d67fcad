import { describe, expect, it } from '@jest/globals'
import { highlight } from './highlight.ts'

describe('highlight', () => {
  it('keeps the marks and does not escape text twice', () => {
    expect(highlight('a &lt;b&gt; &amp; <mark>c</mark>').toString()).toBe(
      'a &lt;b&gt; &amp; <mark>c</mark>',
    )
  })

  it('escapes all other HTML, including marks with attributes', () => {
    expect(highlight('<img src=x onerror=y><mark onclick=z>').toString()).toBe(
      '&lt;img src=x onerror=y&gt;&lt;mark onclick=z&gt;',
    )
    expect(highlight('&lt;mark&gt;text&lt;/mark&gt;').toString()).toBe(
      '&lt;mark&gt;text&lt;/mark&gt;',
    )
  })

  it('closes open marks and drops unmatched ends', () => {
    expect(highlight('<mark>a<mark>b').toString()).toBe('<mark>ab</mark>')
    expect(highlight('a</mark>b').toString()).toBe('ab')
  })
})
