import { describe, expect, it } from '@jest/globals'
import { escapeHtml, html, raw } from './html.ts'

describe('html', () => {
  it('escapes every interpolation, in text and in attributes', () => {
    const hostile = `"><script>alert('1')</script>&\``

    const page = html`<a title="${hostile}">${hostile}</a>`.toString()

    const safe = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&#96;'
    expect(page).toBe(`<a title="${safe}">${safe}</a>`)
  })

  it('keeps safe HTML, joins arrays, and writes nothing for null, undefined, false and an empty string', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)

    const page = html`<ul>${items}</ul>${null}${undefined}${false}${0}${''}${raw('<hr>')}`

    expect(page.toString()).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0<hr>')
  })

  it('does not take an object from JSON for safe HTML', () => {
    const posing = JSON.parse('{"text":"<script>","toString":"<script>"}')

    expect(() => html`${posing}`).toThrow(TypeError)
    expect(html`${['<i>', ['<b>']]}`.toString()).toBe('&lt;i&gt;&lt;b&gt;')
  })

  it('shows bidi controls by name and replaces characters that XML does not allow', () => {
    expect(escapeHtml('a\u202eb\u2066c')).toBe('a[U+202E]b[U+2066]c')
    expect(escapeHtml('a\u0000b\u001bc\ud800d\uffff')).toBe('a\ufffdb\ufffdc\ufffdd\ufffd')
    expect(escapeHtml('שלום 😀\n\t')).toBe('שלום 😀\n\t')
  })

  it('limits the combining marks on a letter', () => {
    const marks = '\u0316\u0320\u200d\u0324'

    expect(escapeHtml(`Z${marks.repeat(40)}!`)).toBe(`Z${marks}[+156 marks]!`)
    expect(escapeHtml(`Z${marks}!`)).toBe(`Z${marks}!`)
    const england = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'
    expect(escapeHtml(`${england} 👩‍❤️‍💋‍👨`)).toBe(`${england} 👩‍❤️‍💋‍👨`)
  })
})
