import { describe, expect, it } from '@jest/globals'
import { keptBytes } from '../../../../../tests/support/heap.ts'
import { growth } from '../../../../../tests/support/times-as-long.ts'
import { html } from '../html.ts'
import { inspectHtml } from '../testing/inspect-html.ts'
import { newMarkdownBudget, renderMarkdown } from './markdown.ts'

const ID = `pst_${'a'.repeat(32)}`

function render(source: string, mentions: string[] = []) {
  const text = renderMarkdown(source, newMarkdownBudget(), mentions).toString()
  return { text, elements: inspectHtml(text) }
}

function linksOf(source: string, mentions: string[] = []) {
  return render(source, mentions)
    .elements.filter(({ tag }) => tag === 'a')
    .map(({ attributes }) => attributes.href)
}

describe('renderMarkdown', () => {
  it('shows raw HTML as text', () => {
    const { text, elements } = render('<script>x</script>\n\n<b onclick="y">z</b> <!-- c -->')

    expect(elements.map(({ tag }) => tag)).toEqual(['p', 'p'])
    expect(text).toContain('&lt;script&gt;x&lt;/script&gt;')
  })

  it('renders headings at levels below the headings of the page', () => {
    const { elements } = render('# a\n## b\n### c\n###### d\n\nsetext\n===')

    expect(elements.map(({ tag }) => tag)).toEqual(['h3', 'h4', 'h5', 'h6', 'h3'])
  })

  it('skips no heading level, whichever level a text begins with', () => {
    const tagsOf = (source: string) => render(source).elements.map(({ tag }) => tag)

    expect(tagsOf('## a\n#### b\n### c\n## d\n# e')).toEqual(['h3', 'h4', 'h4', 'h3', 'h3'])
    expect(tagsOf('###### a\n> # b')).toEqual(['h3', 'blockquote', 'h3'])
  })

  it('renders no empty headings and no empty header cells', () => {
    const tagsOf = (source: string) => render(source).elements.map(({ tag }) => tag)

    expect(tagsOf('#\n## &nbsp;\n## b')).toEqual(['p', 'p', 'h3'])
    expect(tagsOf('# [](https://a.example)\n## ![](https://b.example)')).toEqual([
      ...['h3', 'a', 'h4', 'a'],
    ])
    expect(tagsOf('||a|\n|-|-|\n|b|1|').filter((tag) => tag.startsWith('t'))).toEqual([
      ...['table', 'thead', 'tr', 'td', 'th', 'tbody', 'tr', 'td', 'td'],
    ])
  })

  it('gives every link rel="nofollow ugc noopener"', () => {
    const source = `[a](https://a.example "t") <https://b.example> https://c.example ![d](https://d.example) ${ID} @ada [e][1]\n\n[1]: https://e.example`

    const links = render(source, ['ada']).elements.filter(({ tag }) => tag === 'a')

    expect(links).toHaveLength(7)
    for (const { attributes } of links) expect(attributes.rel).toBe('nofollow ugc noopener')
  })

  it.each([
    '[a](javascript:alert(1))',
    '[a](JAVASCRIPT:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](data:text/html,x)',
    '[a](vbscript:x)',
    '[a](mailto:a@b.example)',
    '[a](ftp://a.example)',
    '[a](https://user@a.example)',
    '[a](https://:pw@a.example)',
    '[a](//evil.example)',
    '[a](relative.md)',
    '![a](javascript:alert(1))',
    '<javascript:alert(1)>',
    'a@b.example www.example.com README.md mailto:a@b.example',
  ])('makes no link of %j', (source) => {
    expect(linksOf(source)).toEqual([])
  })

  it('escapes addresses that a browser would read as another host', () => {
    expect(linksOf('[a](/\\evil.example)')).toEqual(['/%5Cevil.example'])
    expect(linksOf('[a](</\t/evil.example>)')).toEqual(['/%09/evil.example'])
    expect(linksOf('[a](https://bank.example@evil.example)').join()).not.toContain('@')
    expect(linksOf('[a](javascript:b//https://a.example)')).toEqual(['https://a.example'])
  })

  it('links bare addresses, also next to emphasis and non-Latin letters', () => {
    expect(
      linksOf('(https://a.example/b_c?d=*e*), **http://b.example/c** 见https://c.example'),
    ).toEqual(['https://a.example/b_c?d=*e', 'http://b.example/c', 'https://c.example'])
    expect(linksOf('git+https://a.example xhttps://a.example https:/a.example https://')).toEqual(
      [],
    )
  })

  it('neither repeats the address nor drops the backslash before a bare address', () => {
    const { text } = render('Look at [https://a.example](https://a.example) or \\https://b.example')
    const link = '<a href="https://a.example" rel="nofollow ugc noopener">https://a.example</a>'

    expect(text).toBe(`<p>Look at ${link} or \\https://b.example</p>\n`)
  })

  it.each([
    ['too long an address', 'https://a.example?x,'.repeat(500)],
    ['an address of no host', 'https://1.2.3.999?https://a.example'],
    ['an address with a password', 'https://user:pw@a.example/b'],
  ])('makes no link of %s, nor of a part of it', (_name, source) => {
    expect(linksOf(source)).toEqual([])
  })

  it('keeps links to paths of this site and to fragments', () => {
    expect(linksOf('[a](/c/x) [b](#cmt_1)')).toEqual(['/c/x', '#cmt_1'])
  })

  it.each([
    ['set-up', '## Set up'],
    ['Set-Up', '## Set up'],
    ['set-up', 'Set *up*\n---'],
    ['1-what-npm-ci-does', '## 1. What `npm ci` does?'],
    ['étapes', '# Étapes'],
    ['questions--answers', '# Questions & answers'],
    ['questions-answers', '# Questions & answers'],
    ['-set-up', '# ⚙\ufe0f Set up'],
    ['set-up', '# ⚙\ufe0f Set up'],
    ['%E6%A6%82%E8%A6%81', '# 概要'],
    ['set-up-1', '> # x\n\n# Set up 1'],
  ])('points the link #%s to the heading that it names: %j', (fragment, heading) => {
    const { elements } = render(`- [there](#${fragment})\n\n${heading}`)

    const link = elements.find(({ tag }) => tag === 'a')
    const [named] = elements.filter(({ attributes }) => attributes.id !== undefined)
    expect(named?.tag).toMatch(/^h[345]$/)
    expect(link?.attributes.href).toBe(`#${named?.attributes.id}`)
  })

  it('gives headings of the same name different ids, and no id to a heading without a link to it', () => {
    const source = '[second](#part-1)\n[first](#part)\n[nowhere](#%)\n# Part\n# Other\n# Part'

    const { elements } = render(source)

    const ids = elements.filter(({ tag }) => tag === 'h3').map(({ attributes }) => attributes.id)
    expect(ids).toEqual(['section-2', undefined, 'section-1'])
    expect(linksOf(source)).toEqual(['#section-1', '#section-2', '#%25'])
  })

  it('gives headings of the same name different ids if they are in different texts of a page', () => {
    const budget = newMarkdownBudget()
    const texts = ['a', 'a', 'b'].map((name) =>
      renderMarkdown(`[x](#${name})\n# ${name}`, budget).toString(),
    )

    expect(texts.map((text) => /id="([^"]*)"/.exec(text)?.[1])).toEqual([
      ...['section-1', 'section-2', 'section-3'],
    ])
  })

  it('links footnote references to their footnotes, which stay at their places', () => {
    const link = (id: string, name: string) =>
      `<a href="#section-${id}" rel="nofollow ugc noopener">[${name}]</a>`
    const source =
      '# Section 2\n\nIt fails[^1][^Why]. `[^1]`\n[^why]: Seen\n  *twice*.\n[^1]: https://a.example\n\nEnd.'

    expect(render(source).text).toBe(
      `<h3>Section 2</h3>\n<p>It fails${link('1', '1')}${link('2', 'Why')}. <code>[^1]</code></p>\n<p id="section-2">[why] Seen\n<em>twice</em>.</p>\n<p id="section-1">[1] <a href="https://a.example" rel="nofollow ugc noopener" class="bare">https://a.example</a></p>\n<p>End.</p>\n`,
    )
  })

  it.each(['It is [^a-z] or [^1].', '    [^1]: x', '`[^1]: x`'])(
    'makes no footnote of %j',
    (source) => {
      expect(
        render(source)
          .text.replace(/<[^>]*>/g, '')
          .trim(),
      ).toBe(source.replaceAll('`', '').trim())
      expect(linksOf(source)).toEqual([])
    },
  )

  it('shows footnotes that are unreferenced, repeated, quoted or empty', () => {
    const source = '> Quoted.\n[^1]: one\n- item\n[^1]: two\n\n[^2]:\n\n> [^3]: three'

    expect(render(source).text.replace(/<[^>]*>|\n/g, '')).toBe(
      'Quoted.[1] oneitem[1] two[2] [3] three',
    )
  })

  it('shows the address of a link without a text, and only the text of a link without an address', () => {
    expect(render('[](https://a.example) [ ](/b) [![](/c)](/d)').text).toBe(
      '<p><a href="https://a.example" rel="nofollow ugc noopener">https://a.example</a> ' +
        '<a href="/b" rel="nofollow ugc noopener">/b </a> ' +
        '<a href="/d" rel="nofollow ugc noopener">Image: no description</a></p>\n',
    )
    expect(render('[empty]() ![image]()').text).toBe('<p>empty Image: image</p>\n')
  })

  it.each([
    ['bare', 'http://xn--80ak6aa92e.com/%D0%B0'],
    ['in angle brackets', '<http://xn--80ak6aa92e.com/%D0%B0>'],
    ['without a text', '[](http://xn--80ak6aa92e.com/%D0%B0)'],
  ])('shows an address that is written %s without decoding it', (_name, source) => {
    expect(render(source).text).toContain('>http://xn--80ak6aa92e.com/%D0%B0</a>')
  })

  it('links post ids and known handles, except inside links and code', () => {
    expect(linksOf(`${ID}, @Ada. @stranger x@ada @ada/types`, ['ada'])).toEqual([
      `/p/${ID}`,
      '/a/ada',
    ])
    expect(linksOf(`\`${ID} @ada\` [@ada](https://a.example)`, ['ada'])).toEqual([
      'https://a.example',
    ])
  })

  it.each([
    ['[https://bank.example](https://evil.example/a)', 'https://bank.example</a> (evil.example)'],
    ['[go to **www.bank.example**](http://evil.example)', '</strong></a> (evil.example)'],
    ['[ht\u200btps://bank.example](https://evil.example)', '</a> (evil.example)'],
    ['[https://evil.example@bank.example](https://evil.example)', '</a> (evil.example)'],
    [
      '[https://evil.example https://bank.example][a]\n\n[a]: https://evil.example',
      '</a> (evil.example)',
    ],
    ['[It is\nwww.bank.example](https://evil.example)', '</a> (evil.example)'],
    ['[`https://bank.example`](https://b\u00fccher.example)', '</a> (xn--bcher-kva.example)'],
    ['[https\uff1a//bank.example](https://evil.example)', '</a> (evil.example)'],
    ['![https://bank.example](https://evil.example/a.png)', '</a> (evil.example)'],
    ['[a ![https://bank.example](/b.png)](https://evil.example)', '</a> (evil.example)'],
    ['[![a](/b.png "https://bank.example")](https://evil.example)', '</a> (evil.example)'],
    // Cyrillic letters that look like apple.com.
    ['https://\u0430\u0440\u0440\u04cf\u0435.com/a', '</a> (xn--80ak6aa92e.com)'],
    ['[www.\u0430\u0440\u0440\u04cf\u0435.com][a]\n\n[a]: https://xn--80ak6aa92e.com', '(xn--'],
  ])('shows the host of %j, whose text names another host', (source, shown) => {
    expect(render(source).text).toContain(shown)
  })

  it.each([
    'https://a.example/b',
    '[https://a.example](https://A.example/b)',
    '[www.a.example/c](https://a.example/b)',
    '[https://a.example](https://www.a.example)',
    '[a.example/c](https://b.example)',
    '[tokens.ts](https://a.example/tokens.ts)',
    '[https](https://a.example)',
    '[(see https://a.example).](https://a.example)',
    '[https://bank.example](/c/general)',
    '[https://b\u00fccher.example](https://b\u00fccher.example)',
    'https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/',
  ])(
    'adds no host to %j, whose text names no other host or whose link stays on this site',
    (source) => {
      expect(render(source).text).not.toContain('</a> (')
    },
  )

  it('ends a link at the beginning of a link inside it', () => {
    expect(render('[a <https://bank.example> b](https://evil.example)').text).toBe(
      '<p><a href="https://evil.example" rel="nofollow ugc noopener">a </a>' +
        '<a href="https://bank.example" rel="nofollow ugc noopener" class="bare">https://bank.example</a> b</p>\n',
    )
  })

  it('renders an image as a link, and as text inside another link', () => {
    expect(render('![a *b*](https://a.example/x.png)').text).toContain(
      '<a href="https://a.example/x.png" rel="nofollow ugc noopener">Image: a b</a>',
    )
    expect(linksOf('[![a](https://a.example)](https://b.example)')).toEqual(['https://b.example'])
  })

  it('gives code a language class that cannot break out of its attribute', () => {
    expect(render('```Rust\nlet a = "<b>";\n```').text).toContain(
      '<pre tabindex="0"><code class="language-rust">let a = &quot;&lt;b&gt;&quot;;\n</code></pre>\n',
    )
    for (const language of ['"onclick="x', 'js"onclick="x']) {
      const { text } = render(`\`\`\`${language}\ny\n\`\`\``)
      expect(text).toContain('<pre tabindex="0"><code>y')
    }
  })

  it('aligns table columns by classes instead of inline styles', () => {
    const { text } = render('|a|b|\n|:-|-:|\n|1|2|')

    expect(text).toContain('<td class="align-right">2</td>')
  })

  it('renders a table once if it is below a line of text or in a list', () => {
    const table = ['|a|b|', '|-|-|', '|1|2|']
    const { text } = render(`Text\n${table.join('\n')}\n\n- ${table.join('\n  ')}`)

    expect(text.replaceAll(/<[^>]*>|\n/g, '')).toBe('Textab12ab12')
    expect(text).toMatch(/^<p>Text<\/p>\n<div class="table"/)
  })

  it('renders checkboxes for the tasks of a list, and for no other brackets', () => {
    const { text } = render('- [ ] a `b`\n- [x] [c](/d)\n\n  [ ] e\n\n1. [X] **f**')
    const box = (label: string, sign: string) =>
      `<span role="img" aria-label="${label}">${sign}</span>`
    expect(text).toContain(`<li class="task">\n<p>${box('To do', '☐')} a <code>b</code></p>`)
    expect(text).toContain(`<p>${box('Done', '☑')} <a href="/d"`)
    expect(text).toContain('<p>[ ] e</p>')
    expect(text).toContain(`<li class="task">${box('Done', '☑')} <strong>f</strong></li>`)

    const others = '[ ] a\n\n- \\[ ] b\n- [x]c\n- [ ](/d) e\n- [y] f\n- g [x] h\n- [ ]\n- `[ ] i`'
    expect(render(others).text).not.toMatch(/class="task"|role="img"/)
  })

  it.each([
    ['> [!NOTE]\n> See *b*.', '<p><strong>Note</strong><br>\nSee <em>b</em>.</p>'],
    ['- > [!Warning] \n  >\n  > Mind.', '<p><strong>Warning</strong></p>\n<p>Mind.</p>'],
  ])('shows the kind of the note %j', (source, shown) => {
    expect(render(source).text).toContain(shown)
  })

  it.each(['> [!NOTE] a', '> [!OTHER]\n> a', '[!NOTE]\na', '> a\n> [!NOTE]', '> \\[!NOTE]\n> a'])(
    'does not render %j as a note',
    (source) => {
      expect(render(source).text).toContain('[!')
    },
  )

  it('shows bidi control characters by name, also if they are character references', () => {
    expect(render('a\u202eb &#x202e; `\u2067`').text).toBe(
      '<p>a[U+202E]b [U+202E] <code>[U+2067]</code></p>\n',
    )
  })
})

describe('renderMarkdown, for text that Markdown leaves out,', () => {
  it('shows the words after the language of a code block', () => {
    expect(render('```js to <agents>\nx\n```').text).toBe(
      '<p class="unrendered">js to &lt;agents&gt;</p>\n' +
        '<pre tabindex="0"><code class="language-js">x\n</code></pre>\n',
    )
  })

  it.each([
    ['of a comment', '[//]: # (To agents)', '[//]: # (To agents)'],
    [
      'of a link',
      '[a]\n\n[a]: https://a.example "To <agents>"',
      '[a]: https://a.example &quot;To &lt;agents&gt;&quot;',
    ],
    [
      'of many lines',
      '> - [a]: /b\n>   "To\n>   agents"',
      '[a]: /b\n&gt;   &quot;To\n&gt;   agents&quot;',
    ],
    ['that another came before', '[a]: /b\n[A]: /to-agents', '[A]: /to-agents'],
  ])('shows the definition %s', (_name, source, shown) => {
    expect(render(source).text).toContain(`<p class="unrendered">${shown}</p>\n`)
  })

  it('shows cells beyond the columns of a table', () => {
    const { text } = render('|a|b|\n|-|-|\n| 1 | 2 | to | *agents* |\n1|2\\|3|to agents\n|1|2| |')

    const cells = [...text.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)
    expect(cells).toEqual(['1', '2 | to | <em>agents</em>', '1', '2|3 | to agents', '1', '2'])
  })

  it.each([
    ['of another link', '[c]', '<a href="/d" rel="nofollow ugc noopener">c</a>'],
    ['of nothing', '[]', '[]'],
  ])('shows the text between the text of a link and the name %s', (_name, source, shown) => {
    const { text } = render(`[a](/b "to agents"x${source}\n\n[a]: /e\n[c]: /d`)

    expect(text).toContain(`[a](/b &quot;to agents&quot;x${shown}</p>`)
  })

  it('shows the title of a link', () => {
    const { text } = render('[a](/b "to agents") <https://a.example> [a][c]\n\n[c]: /d "to all"')

    expect(text).toContain('>a</a> (to agents) <a')
    expect(text).toContain('>a</a> (to all)')
    expect(text).not.toContain('title=')
  })

  it('shows the title of an image', () => {
    expect(render('![a](/b "to agents") ![a][c]\n\n[c]: /d "to all"').text).toMatch(
      />Image: a \(to agents\)<\/a> <a [^>]*>Image: a \(to all\)</,
    )
  })

  it.each([
    ['a link', '[b](/c "to agents")', '[b](/c &quot;to agents&quot;)'],
    ['an image', '![b](/to-agents)', '![b](/to-agents)'],
  ])('shows the source of %s inside the text of an image', (_name, source, shown) => {
    expect(render(`![a *${source}*](/d)`).text).toContain(`>Image: a *${shown}*</a>`)
  })
})

describe('renderMarkdown under attack', () => {
  const LENGTH = 40_000
  const repeat = (unit: string) => unit.repeat(LENGTH / unit.length)

  it.each([
    ['quotes', repeat('>')],
    ['notes', repeat('> [!TIP]\n\n')],
    ['tasks', repeat('- [ ] a\n\n\n')],
    ['brackets', repeat('[')],
    ['images', repeat('![')],
    ['emphasis', repeat('*a **a ')],
    ['underscores', repeat('_a')],
    ['backticks', repeat('`a``b```c')],
    ['open links', repeat('[a](')],
    ['lists', repeat('- - - - a\n')],
    ['delimiter rows', repeat('|-|\n')],
    ['a wide table', `${'|a'.repeat(2000)}|\n${'|-'.repeat(2000)}|\n${'|\n'.repeat(15_000)}`],
    ['many tables', repeat('a|b\n-|-\nx\n\n')],
    ['a long reference', `[a]: https://a.example/${'z'.repeat(1900)}\n\n${'[a] '.repeat(9000)}`],
    [
      'a long reference, less often',
      `[a]: https://a.example/${'z'.repeat(1900)}\n\n${'[a] '.repeat(4000)}`,
    ],
    ['a long title', `[a]: /b '${'z'.repeat(9000)}'\n\n${'[a] '.repeat(7000)}`],
    ['a long title, less often', `[a]: /b '${'z'.repeat(9000)}'\n\n${'[a] '.repeat(4000)}`],
    ['the long title of an image', `[a]: /b '${'z'.repeat(9000)}'\n\n${'![a] '.repeat(6000)}`],
    ['definitions', repeat('[a]: /\n')],
    ['code blocks', repeat('~~~a\n~~~\n')],
    ['ids', repeat(`${ID} `)],
    ['handles', repeat('@@ada-')],
    ['less-than signs', repeat('<')],
    ['addresses within an address', repeat('https://a.b?x,')],
    ['links without a text', repeat('[](/)')],
    ['addresses of no host', repeat('https://xn--a?')],
    ['a link of many hosts', `[${'https://a!'.repeat(3900)}](https://b.example)`],
    ['a host of marks', `[https://${'!'.repeat(39_000)}a](https://b.example)`],
  ])('returns well-formed HTML of bounded length for %s', (_name, source) => {
    const { text } = render(source, ['ada'])

    expect(text.length).toBeLessThan(12 * source.length)
  })

  it('limits the combining marks on one letter, also if there is markup between them', () => {
    const marks = '\u0316\u0320\u0324'
    const struck = `~~${marks}~~${marks}`
    const shown = (source: string) => `${renderMarkdown(source, newMarkdownBudget())}`

    expect(shown(`Z${'&#x301;'.repeat(40)}`)).toContain('[+36 marks]')
    expect(shown(`Z${struck.repeat(9)}`)).toMatch(/^<pre class="plain"/)
    expect(shown(`Z~~${marks}~~`)).toBe(`<p>Z<s>${marks}</s></p>\n`)
  })

  it('shows a text with too much markup as plain source', () => {
    const { text } = render('- <i>\n'.repeat(8000))

    expect(text.startsWith('<pre class="plain" tabindex="0">- &lt;i&gt;')).toBe(true)
  })

  it('shows a text of more than 65,536 characters as plain source', () => {
    const longest = 64 * 1024

    expect(render('a'.repeat(longest)).text).toMatch(/^<p>/)
    expect(render('a'.repeat(longest + 1)).text).toMatch(/^<pre class="plain"/)
  })

  it.each([
    ['lists', `Seen.\n\n${'- '.repeat(12)}x\n\nBehind it.`],
    ['quotes', `${'> '.repeat(24)}Deep.`],
  ])('shows the whole source of a text that is nested too deep: %s', (_name, source) => {
    const plain = html`<pre class="plain" tabindex="0">${source}</pre>`

    expect(render(source).text).toBe(plain.toString())
  })

  it('renders lists that are nested ten levels deep', () => {
    expect(render(`${'- '.repeat(10)}x`).text).toContain('<li>')
  })

  it('renders a table of 500 rows, and shows a table of 1,500 rows as text', () => {
    const table = (rows: number) => `a|b\n-|-\n${'1|2\n'.repeat(rows)}`

    expect(render(table(500)).text).toContain('<table ')
    expect(render(table(1500)).text).not.toContain('<table ')
  })

  it('renders a long post and a hundred long comments completely', () => {
    const rich =
      'The `pool` [is *idle*](https://example.org/x): see `a.ts:12`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n'
    const budget = newMarkdownBudget()
    const post = renderMarkdown(rich.repeat(80), budget).toString()
    const comments = Array.from({ length: 100 }, () => {
      return renderMarkdown(rich.repeat(10), budget).toString()
    })

    for (const text of [post, ...comments]) expect(text).toContain('<em>idle</em>')
  })

  it('still renders a comment after texts that use most of the budget', () => {
    const budget = newMarkdownBudget()
    const bombs = Array.from({ length: 8 }, () => '*a* '.repeat(5_000))
    for (const bomb of bombs) renderMarkdown(bomb, budget)

    expect(renderMarkdown('An *ordinary* comment.', budget).toString()).toContain('<em>')
  })

  it.each([
    ['emphasis', '*a* '],
    ['brackets', '['],
    ['addresses', '<a@b.c>'],
    ['bare addresses', 'http://user:'],
    ['links', '[![a](b)](c)'],
  ])('renders no more of a page than its budget allows: %s', (_name, piece) => {
    const budget = newMarkdownBudget()
    const texts = Array.from({ length: 100 }, () => {
      const source = piece.repeat(5_000 / piece.length)
      return renderMarkdown(source, budget).toString()
    })

    const rendered = texts.filter((text) => !text.startsWith('<pre class="plain"'))
    expect(rendered.length).toBeLessThan(50)
    expect(rendered.join('').length).toBeLessThan(5_000_000)
  })

  it('renders a cached text with the table numbers and mentions of the current page', () => {
    const table = '@ada\n\n| a |\n|---|\n| 1 |\n'
    const first = renderMarkdown(table, newMarkdownBudget(), ['ada']).toString()
    const budget = newMarkdownBudget()

    const again = renderMarkdown(table, budget, ['Ada']).toString()
    const second = renderMarkdown(table, budget, ['ada']).toString()
    const unlinked = renderMarkdown(table, newMarkdownBudget()).toString()

    expect(again).toBe(first)
    expect(second).toBe(first.replace('Table 1', 'Table 2'))
    expect(unlinked).toBe(first.replace(/<a [^>]*>@ada<\/a>/, '@ada'))
  })

  it('takes time for an address of asterisks that grows with its length', () => {
    let texts = 0
    const render = (length: number) => {
      // Each text is another, because rendered texts are kept.
      const source = `${texts++} https://a.example/${'*'.repeat(length)}x`
      renderMarkdown(source, newMarkdownBudget())
    }
    expect(growth(render, 28_000)).toBeLessThan(4)
  })

  it('keeps a bounded number of rendered texts in memory', async () => {
    const text = 'word '.repeat(8_000)

    const kept = await keptBytes(() => {
      for (let n = 0; n < 400; n++) renderMarkdown(`${n} ${text}`, newMarkdownBudget())
    })

    // The texts together take 16 MB.
    expect(kept).toBeLessThan(8_000_000)
  })

  it('takes half of the remaining budget for a text beyond it, and nothing for a text that it never parses', () => {
    const budget = newMarkdownBudget()
    const whole = budget.costLeft
    const left = (source: string) => {
      renderMarkdown(source, budget)
      return budget.costLeft
    }

    expect(left('*'.repeat(whole / 2 + 1))).toBe(whole)
    expect(left('*a* '.repeat(10_000))).toBe(whole / 2)
  })

  it('charges the budget of a page for a cached text as for a new text', () => {
    const bomb = '*b* '.repeat(6_000)
    const page = () => {
      const budget = newMarkdownBudget()
      const texts = [bomb, bomb, bomb].map((source) => renderMarkdown(source, budget).toString())
      return { left: budget.costLeft, rendered: texts.map((text) => text.includes('<em>')) }
    }

    const first = page()

    expect(first.rendered).toEqual([true, false, false])
    expect(page()).toEqual(first)
    const [alone, smaller] = [newMarkdownBudget(), { ...newMarkdownBudget(), costLeft: 30_000 }]
    const unseen = '*c* '.repeat(6_000)
    expect(renderMarkdown(unseen, smaller).toString()).not.toContain('<em>')
    expect(renderMarkdown(unseen, alone).toString()).toContain('<em>')
  })
})
