import { describe, expect, it } from '@jest/globals'
import { growth, timesAsLong } from '../../../../tests/support/times-as-long.ts'
import { highlight, snippet, type Wanted, wantedWords } from './highlight.ts'
import { isTypoOf, typosAllowed } from './typos.ts'

const marked = (text: string, q: string) => highlight(text, wantedWords(q) as Wanted)
const part = (text: string, q: string) => snippet(text, wantedWords(q) as Wanted)

/** How the time of snippets grows with texts of this piece, before and after what is looked for. */
function growthOfHostile(piece: string, q: string): number {
  const cut = (length: number) => {
    const hostile = piece.repeat(length / piece.length)
    part(`${q} ${hostile}`, q)
    part(`${hostile} ${q}`, q)
  }
  return growth(cut, 40_000)
}

describe('a highlight', () => {
  it('treats the Japanese long-vowel mark as part of its word', () => {
    expect(marked('サーバーのメモリリーク。', 'メモリリーク 原因')).toBe(
      'サーバーの<mark>メモリリーク</mark>。',
    )
  })

  it('marks one of more than ten words of a pasted message, and no stop words', () => {
    const message = 'one of the alpha beta gamma delta epsilon zeta theta iota kappa lambda sigma'

    expect(marked('of the lambda', message)).toBe('of the <mark>lambda</mark>')
  })

  it('marks the words of the query and escapes everything else', () => {
    expect(marked(`<b>"it's" & <mark>mutex</mark></b>`, 'mutex')).toBe(
      '&lt;b&gt;&quot;it&#39;s&quot; &amp; &lt;mark&gt;<mark>mutex</mark>&lt;/mark&gt;&lt;/b&gt;',
    )
  })

  it('marks a number together with its unit, and no other number of the same unit', () => {
    expect(marked('It took 16GiB of 32GiB.', '16 GiB')).toBe('It took <mark>16GiB</mark> of 32GiB.')
    expect(marked('By python3.11, not by ruby3.', 'Python 3.11')).toBe(
      'By <mark>python3</mark>.<mark>11</mark>, not by ruby3.',
    )
    expect(marked('By TLSv1.3, not SSLv1.', 'TLS 1.3')).toBe(
      'By <mark>TLSv1</mark>.<mark>3</mark>, not SSLv1.',
    )
    expect(marked('By TLS 1.3.', 'TLSv1.3')).toBe(
      'By <mark>TLS</mark> <mark>1</mark>.<mark>3</mark>.',
    )
  })

  it.each(['65536', '65,536', '65_536'])(
    'marks %s however its digits are grouped in the text',
    (q) => {
      expect(marked('Of 65,536 rows 536, of 65_536 or 65536 none.', q)).toBe(
        'Of <mark>65,536</mark> rows 536, of <mark>65_536</mark> or <mark>65536</mark> none.',
      )
    },
  )

  it.each([
    ['C++', 'By <mark>C++</mark>17 or <mark>cpp</mark>, not C#, C or g++.'],
    ['c#', 'By C++17 or cpp, not <mark>C#</mark>, C or g++.'],
    ['c', 'By <mark>C</mark>++17 or cpp, not <mark>C</mark>#, <mark>C</mark> or g++.'],
    ['c++ -c#', 'By <mark>C++</mark>17 or <mark>cpp</mark>, not C#, C or g++.'],
  ])('distinguishes %s from similar names by its symbols', (q, html) => {
    expect(marked('By C++17 or cpp, not C#, C or g++.', q)).toBe(html)
  })

  it.each([
    [
      'maxPollRecords',
      'Set <mark>max.poll.records</mark>, <mark>MAX_POLL_RECORDS</mark> or <mark>maxPollRecords</mark>.',
    ],
    [
      'max_poll_records',
      'Set <mark>max</mark>.<mark>poll</mark>.<mark>records</mark>, <mark>MAX</mark>_<mark>POLL</mark>_<mark>RECORDS</mark> or <mark>maxPollRecords</mark>.',
    ],
  ])('marks %s in every naming convention', (q, html) => {
    expect(marked('Set max.poll.records, MAX_POLL_RECORDS or maxPollRecords.', q)).toBe(html)
  })

  it.each([
    [
      '3f2a9c1e',
      'At <mark>3f2a9c1e7b5d4a60</mark>, <mark>3f2a9c1</mark> or 3f2a9c2e by 0x80070005.',
    ],
    ['80070005', 'At 3f2a9c1e7b5d4a60, 3f2a9c1 or 3f2a9c2e by <mark>0x80070005</mark>.'],
  ])('marks longer and shorter forms of the hash or code %s', (q, html) => {
    expect(marked('At 3f2a9c1e7b5d4a60, 3f2a9c1 or 3f2a9c2e by 0x80070005.', q)).toBe(html)
  })

  it.each([
    [
      'connection timeout',
      'The <mark>connection</mark> <mark>timed out</mark> on K8s by TypeScript.',
    ],
    ['kubernetes ts', 'The connection timed out on <mark>K8s</mark> by <mark>TypeScript</mark>.'],
  ])('marks synonyms of the words of "%s"', (q, html) => {
    expect(marked('The connection timed out on K8s by TypeScript.', q)).toBe(html)
  })

  it.each([
    ['in any case', 'A Mutex, a MUTEX', 'A <mark>Mutex</mark>, a <mark>MUTEX</mark>'],
    ['but not inside another word', 'submutex mutexing', undefined],
    ['beside signs', '`mutex`_mutex', '`<mark>mutex</mark>`_<mark>mutex</mark>'],
    ['with a letter missing', 'a mutx and a mux', 'a <mark>mutx</mark> and a mux'],
    ['with a typo', 'a mutexe and a muxet', 'a <mark>mutexe</mark> and a muxet'],
  ])('finds a word %s', (_, text, html) => {
    expect(marked(text, 'mutex')).toBe(html)
  })

  it.each([
    ['accents', 'Café au lait', 'cafe', '<mark>Café</mark> au lait'],
    ['accents in the query', 'cafe', 'CAFÉ', '<mark>cafe</mark>'],
    [
      'accents that add to its length',
      're\u0301sume\u0301',
      'resume',
      '<mark>re\u0301sume\u0301</mark>',
    ],
    [
      'letters of their own',
      'Łódź, Straße',
      'lodz strasse',
      '<mark>Łódź</mark>, <mark>Straße</mark>',
    ],
    [
      'such letters in the query',
      'Oresund, 10us',
      'ØRESUND 10µs',
      '<mark>Oresund</mark>, <mark>10us</mark>',
    ],
    ['wide letters', 'ＡＰＩ：超时', 'api', '<mark>ＡＰＩ</mark>：超时'],
    ['combining accents', 'cafe\u0301!', 'café', '<mark>cafe\u0301</mark>!'],
    [
      'signs beyond the first plane',
      '😀mutex𐍈𐍈 😀mutex😀',
      'mutex',
      '😀mutex𐍈𐍈 😀<mark>mutex</mark>😀',
    ],
    ['other letters', 'Вот замок.', 'ЗАМОК', 'Вот <mark>замок</mark>.'],
    ['camel case', 'a myMutexLock', 'mymutexlock', 'a <mark>myMutexLock</mark>'],
    ['no spaces', '我的数据库很慢', '数据库', '我的<mark>数据库</mark>很慢'],
    [
      'the words of a question without spaces',
      '最大连接数太小,请求超时。',
      '连接超时怎么办',
      '最大<mark>连接</mark>数太小,请求<mark>超时</mark>。',
    ],
    ['endings without spaces', '서버를 다시', '서버 연결', '<mark>서버</mark>를 다시'],
    [
      'syntax in the query',
      'b.c abc',
      '"b.c" -(abc',
      '<mark>b</mark>.<mark>c</mark> <mark>abc</mark>',
    ],
  ])('handles %s', (_, text, q, html) => {
    expect(marked(text, q)).toBe(html)
  })

  it('leaves out stop words, unless the query has no other words', () => {
    expect(marked('the lock is the key', 'what is the lock')).toBe(
      'the <mark>lock</mark> is the key',
    )
    expect(marked('to be or not', 'to be')).toBe('<mark>to</mark> <mark>be</mark> or not')
  })

  it('looks for typos only until enough words were compared, and still finds the words themselves', () => {
    const hash = (n: number) => `a${((n * 7_919) % 0x1000000).toString(16).padStart(6, '0')}`
    const hashes = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) => hash(from + n)).join(' ')
    const texts = Array.from({ length: 60 }, (_, n) => hashes(5_000, n * 5_000))
    const q = `consensus ${hashes(31, 1_000_000)}`
    const fresh = wantedWords(q) as Wanted
    const wanted = wantedWords(q) as Wanted

    for (const text of texts) highlight(text, wanted)

    expect([fresh.find('consensos'), fresh.find('consensus')]).toEqual([0, 0])
    expect([wanted.find('consensos'), wanted.find('consensus')]).toEqual([-1, 0])
  })

  it('is undefined if nothing matches', () => {
    expect(marked('plain', 'mutex')).toBeUndefined()
    expect(wantedWords(' "-" ')).toBeUndefined()
  })

  it('of a hostile text without a match is undefined', () => {
    expect(marked('m'.repeat(40_000), 'mutex')).toBeUndefined()
    expect(marked('é'.repeat(40_000), 'été')).toBeUndefined()
  })

  it('of letters beyond the Basic Multilingual Plane takes about as long as of others', () => {
    const highlight = (letter: string) => {
      const text = letter.repeat(40_000)
      return () => {
        for (let n = 0; n < 20; n++) marked(text, 'mutex')
      }
    }
    expect(timesAsLong(highlight('𐍈'), highlight('é'))).toBeLessThan(4)
  })

  it('stops looking for typos after a bounded number of comparisons, and still marks exact words', () => {
    const wanted = wantedWords('consensus b2 d2 e2 f2 g2 h2 i2 j2 k2 l2 m2 n2 o2 p2 q2') as Wanted
    const found = () => highlight('concensus or consensus', wanted)
    expect(found()).toBe('<mark>concensus</mark> or <mark>consensus</mark>')

    const alike = Array.from({ length: 4_000 }, (_, n) => `c${String(n).padStart(8, 'x')}`)
    expect(highlight(alike.join(' '), wanted)).toBeUndefined()

    expect(highlight('consensuss or consensus', wanted)).toBe(
      'consensuss or <mark>consensus</mark>',
    )
  })
})

describe('a snippet', () => {
  it('shows the place of the words, cut between words', () => {
    const text = `${'before '.repeat(200)}a mutex & a lock${' after'.repeat(200)}`

    expect(part(text, 'lock mutex')).toMatch(
      /^…before .*before a <mark>mutex<\/mark> &amp; a <mark>lock<\/mark> after.* after…$/,
    )
    expect(part(text, 'lock mutex')?.length).toBeLessThan(300)
  })

  it('shows the place with the most different words', () => {
    const text = `lock ${'x '.repeat(400)} lock of the mutex ${'x '.repeat(400)}`

    expect(part(text, 'mutex lock')).toContain('<mark>lock</mark> of the <mark>mutex</mark>')
  })

  it('is the whole of a short text', () => {
    expect(part('a mutex', 'mutex')).toBe('a <mark>mutex</mark>')
  })

  it.each([
    ['a link', 'A [flaky test](http://a.example/c/flaky?x=(1)#y).', 'A <mark>flaky</mark> test.'],
    ['an image', '![A flaky run](/flaky.png) of it', 'A <mark>flaky</mark> run of it'],
    ['a badge', '[![flaky](https://a.example/b)](https://a.example/)!', '<mark>flaky</mark>!'],
    ['code', 'Run `make flaky` or ``x``.', 'Run make <mark>flaky</mark> or x.'],
    ['strong words', 'A **very `flaky` [run](/a)**!', 'A very <mark>flaky</mark> run!'],
    ['words in words', '***flaky*** **or *odd* runs**', '<mark>flaky</mark> or odd runs'],
    [
      'stressed words',
      'A _flaky_ run, __so `a_b` or c_d it is__.',
      'A <mark>flaky</mark> run, so a_b or c_d it is.',
    ],
    ['struck words', '~~A `flaky`~~ run ~~~ of ~5 ~~*s*~~', 'A <mark>flaky</mark> run ~~~ of ~5 s'],
    [
      'a footnote',
      'A flaky[^1][^why] run, not [^a-z].\n\n[^1]: Seen.\n[^why]: So.',
      'A <mark>flaky</mark> run, not [^a-z].\n\nSeen.\nSo.',
    ],
    ['stress in stress', '**_flaky_** _or **odd**_ (_runs_)', '<mark>flaky</mark> or odd (runs)'],
    [
      'a name',
      'flaky __init__, _a or b_c, /_n_/x?_a=b_&_c',
      '<mark>flaky</mark> __init__, _a or b_c, /_n_/x?_a=b_&amp;_c',
    ],
    [
      'the boxes of tasks',
      '- [x] flaky\n1. [ ] x, a[ ] = [x] or\n[x] it',
      '- ☑ <mark>flaky</mark>\n1. ☐ x, a[ ] = [x] or\n[x] it',
    ],
    ['the rule of a table', '| a |\n| :- |\n| flaky |', '| a |\n| <mark>flaky</mark> |'],
    ['a heading', 'So:\n\n## A flaky run\n\nIt is.', 'So:\n\nA <mark>flaky</mark> run\n\nIt is.'],
    ['a star', 'flaky 2 * 3 * 4, *args, **kwargs', '<mark>flaky</mark> 2 * 3 * 4, *args, **kwargs'],
    ['stars in code', '`**flaky**` and `a**`', '**<mark>flaky</mark>** and a**'],
    ['a mark and a link', '[1] a [flaky](#c) `run', '[1] a <mark>flaky</mark> `run'],
    ['a bare address', 'https://a.example/flaky', 'https://a.example/<mark>flaky</mark>'],
    ['a call', 'flaky[name](event)', '<mark>flaky</mark>[name](event)'],
    [
      'a block of code',
      'So:\n\n```sh\n# `flaky` [a](/b) **b**\n```\n\n`it`',
      'So:\n\nsh\n# `<mark>flaky</mark>` [a](/b) **b**\n\n\nit',
    ],
  ])('shows the rendered text of %s', (_, text, html) => {
    expect(part(text, 'flaky')).toBe(html)
    const before = `${'before '.repeat(100)}\n\n`
    const long = part(`${before}${text}\n\n${'after '.repeat(100)}`, 'flaky')
    expect(long).toMatch(/^…before /)
    expect(long).toContain(html)
  })

  it('marks nothing in the address of a link, and does not begin or end within an address', () => {
    const address = `http://a.example/${'flaky/'.repeat(40)}`
    const text = `${'before '.repeat(100)}[there](${address}) a flaky test [here](${address}) after`

    expect(part(`[there](${address})`, 'flaky')).toBeUndefined()
    expect(part(text, 'flaky')).toBe('… a <mark>flaky</mark> test here after')
    expect(part(`${text} ${'x '.repeat(200)}`, 'flaky')).toMatch(
      /^… a <mark>flaky<\/mark> test here after (x )+x…$/,
    )
  })

  it.each([
    '](http://',
    '[',
    '`` ` ',
    '![',
    'mutex](/',
    '```\n',
    'a``` ',
    'mutex',
    '**a',
    '*`a',
    '_a',
    ' _a',
    '(__a_',
    '# ',
    '~~a',
    '[^a]',
  ])('takes time that grows with the length of hostile Markdown: %j', (piece) => {
    expect(growthOfHostile(piece, 'mutex')).toBeLessThan(4)
  })

  it.each(['a', 'a1', '1', 'a--', 'a-a '])(
    'of a name of several words takes time that grows with the length of hostile text: %j',
    (piece) => {
      expect(growthOfHostile(piece, 'myMutex')).toBeLessThan(4)
    },
  )

  it('never cuts a character in half', () => {
    const text = `${'😀'.repeat(301)} mutex ${'😀'.repeat(301)}`

    expect(part(text, 'mutex')?.isWellFormed()).toBe(true)
  })
})

describe('the check for typos', () => {
  it.each([
    ['consensus', 'concensus', true],
    ['consensus', 'consenssu', true],
    ['consensus', 'consnss', true],
    ['consensus', 'cnsnss', false],
    ['lock', 'locks', true],
    ['lock', 'clock', false],
    ['lck', 'lock', false],
    ['403x', '404x', false],
  ])('decides whether a word wanted as %s was written as %s', (wanted, word, isTypo) => {
    expect(isTypoOf(wanted, word, typosAllowed(wanted))).toBe(isTypo)
  })
})
