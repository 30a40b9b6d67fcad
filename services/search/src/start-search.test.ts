import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals'
import { searchListName } from '@stoa/shared/answers/cursor.js'
import { FACET_VALUES_MAX } from '@stoa/shared/contracts/search.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { Meilisearch } from 'meilisearch'
import { eventuallyPasses } from '../../../tests/support/eventually.ts'
import { describeWithMeili, MEILI } from '../../../tests/support/meilisearch.ts'
import { signal } from '../../../tests/support/signal.ts'
import { aPost, Forum } from './testing/harness.ts'

/** Makes a forum count as large from its first document on. */
const LARGE = { INDEX_RECENT_FROM: '0' }
const MERGED_AT_ONCE = { ...LARGE, INDEX_RECENT_MAX: '1' }

let forum: Forum
let settings: Record<string, string> = {}

beforeAll(async () => {
  forum = await Forum.start(MEILI)
})

afterAll(() => forum?.close())
// Without this check, each of so many tests would wait in full for a server that died.
beforeEach(async () => {
  if (MEILI.url) await forum.meili.isThere()
})
afterEach(() => {
  jest.restoreAllMocks()
  return forum?.reset()
})

/** Search with these documents in its index. */
async function searchOf(...documents: ReturnType<typeof aPost>[]): Promise<void> {
  for (const document of documents) forum.documents.set(document.id, document)
  await forum.startSearch(settings)
  await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
  // A new index is searched a little before its rebuild has ended.
  await eventuallyPasses(async () => expect((await forum.rebuild(false)).state).toBe('idle'))
}

/** The same tests on a small forum, and on one that is large by these settings. */
function ofEachSize(what: string, large: Record<string, string>, tests: () => void): void {
  const sizes = [
    { size: 'small', chosen: {} },
    { size: 'large', chosen: large },
  ]
  describeWithMeili.each(sizes)(`${what} of a $size forum`, ({ chosen }) => {
    beforeAll(() => {
      settings = chosen
    })

    tests()
  })
}

/** A cursor as content writes it. */
type Selection = Parameters<typeof searchListName>[0]
const cursorOf = (offset: number, of: Partial<Selection> = {}) => {
  const list = searchListName({ q: '', type: 'post', sort: 'relevance', ...of })
  return Buffer.from(JSON.stringify([list, offset])).toString('base64url')
}

/** A comment as content describes it: without a kind or tags. */
const aComment = (fields: Parameters<typeof aPost>[0] = {}) =>
  aPost({ id: newId('comment'), type: 'comment', kind: '', ...fields })

/** A different pair of letters for each number. */
const code = (i: number) => String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26))

ofEachSize('a search', LARGE, () => {
  it('finds a published post by its present words, and no longer finds it after its removal', async () => {
    await searchOf()
    const post = aPost({ title: 'Paxos made moderately complex' })

    await forum.publish(post)
    await eventuallyPasses(async () => expect(await forum.ids({ q: 'paxos' })).toEqual([post.id]))

    await forum.publish({ ...post, title: 'Raft refloated', version: 2 })
    await eventuallyPasses(async () => expect(await forum.ids({ q: 'raft' })).toEqual([post.id]))
    expect(await forum.ids({ q: 'paxos' })).toEqual([])

    await forum.remove(post)
    await eventuallyPasses(async () =>
      expect((await forum.search({ q: 'raft' })).estimated_total).toBe(0),
    )
  })

  it('answers in the form of the contract', async () => {
    const post = aPost({ title: 'Use <b>mutexes</b>', version: 3 })
    await searchOf(post)

    const answer = await forum.search({ q: 'mutexes' })

    expect(answer).toEqual({
      estimated_total: 1,
      took_ms: expect.any(Number),
      facets: { kind: { result: 1 }, community: { general: 1 }, tag: {} },
      hits: [{ id: post.id, version: 3, relevance: expect.any(Number) }],
    })
    expect(answer.hits[0]?.relevance).toBeGreaterThan(0.5)
  })

  it('finds a misspelt word, and ranks a match in the title above a match in the body', async () => {
    const body = aPost({ body_md: 'all about consensus' })
    const title = aPost({ title: 'Consensus' })
    await searchOf(title, body)

    expect(await forum.ids({ q: 'concensus' })).toEqual([title.id, body.id])
  })

  it('finds a text by its words, whichever ASCII symbol is between them', async () => {
    const symbols = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
    const posts = symbols
      .filter((symbol) => !/[a-z0-9]/i.test(symbol))
      // Too short for typos, and all different.
      .map((symbol, i) => ({ one: `q${code(i)}`, two: `z${code(i)}`, symbol }))
      .map(({ one, two, symbol }) => aPost({ body_md: `${one}${symbol}${two}` }))
    await searchOf(...posts)

    for (const { id, body_md: text } of posts) {
      expect({ text, ids: await forum.ids({ q: text }) }).toEqual({ text, ids: [id] })
      expect({ text, ids: await forum.ids({ q: text.slice(-3) }) }).toEqual({ text, ids: [id] })
    }
  })

  it('finds a text by its words, whichever non-ASCII blank or sign is between them', async () => {
    const blanks = ['\u00a0', '\u202f', '\u2009', '\u2028', '\u2011', '\u2014']
    const posts = [...blanks, '→', '✓', '│', '°', '™', '🚀', '⚠️'].map((sign, i) =>
      aPost({ title: `q${code(i)}${sign}z${code(i)}`, body_md: `k${code(i)}${sign}w${code(i)}` }),
    )
    await searchOf(...posts)

    for (const { id, title, body_md: text } of posts) {
      for (const q of [title, title.slice(0, 3), title.slice(-3), text.slice(0, 3), text.slice(-3)])
        expect({ q, ids: await forum.ids({ q }) }).toEqual({ q, ids: [id] })
    }
    expect(await forum.ids({ q: '🚀' })).toEqual([posts.at(-2)?.id])
  })

  it.each([
    [
      'Fails since 3f2a9c1e7b5d4a60918273645566778899aabbcc.',
      ['3f2a9c1', '3f2a9c1e7b', '3f2a9c1e…'],
    ],
    [
      'Fails since 3f2a9c1.',
      ['3f2a9c1e7b', '3f2a9c1e7b5d4a60918273645566778899aabbcc', '3f2a9c1…'],
    ],
    ['Fails by sha256:3f2a9c1e7b5d4a60….', ['sha256:3f2a9c1e7b5d4a609182736455667788', '3f2a9c1e']],
    ['Fails with 0x80070005.', ['0x80070005', '80070005', 'fails 0x80070005…']],
    ['Fails with error 80070005.', ['0x80070005', '80070005']],
  ])('finds %j by its hash or code, whole or cut off', async (body_md, questions) => {
    const wanted = aPost({ body_md })
    await searchOf(wanted, aPost({ body_md: 'At 3f2a9b1e7b5d by 0x80070003.' }))

    for (const q of questions) {
      expect({ q, ids: await forum.ids({ q }) }).toEqual({ q, ids: [wanted.id] })
    }
  })

  it.each([
    ['Łódź', 'lodz'],
    ['Straße', 'strasse'],
    ['GRÖẞE', 'grosse'],
    ['Øresund', 'oresund'],
    ['Þórr', 'thorr'],
    ['ısı', 'isi'],
    ['after 10 µs', '10us'],
    ['ＡＰＩ', 'api'],
  ])('finds texts with %s and texts with %s by either spelling', async (one, other) => {
    const posts = [aPost({ title: one }), aPost({ body_md: one }), aPost({ body_md: other })]
    await searchOf(...posts)

    for (const q of [one, other]) {
      const ids = await forum.ids({ q, sort: 'new' })
      expect({ q, ids: ids.sort() }).toEqual({ q, ids: posts.map(({ id }) => id).sort() })
    }
  })

  it.each(['…', '‥', '‼', '⁉', '″', '؝', '٬'])(
    'finds a word or number with and without the sign %s at its end',
    async (sign) => {
      const whole = aPost({ body_md: 'Port 443 of a walrus.' })
      const cut = aPost({ title: `443${sign}`, summary: `A walrus${sign}`, body_md: `443${sign}` })
      await searchOf(whole, cut, aPost({ body_md: sign }))

      for (const q of [
        '443',
        `443${sign}`,
        'walrus',
        `walrus${sign}`,
        `port ${sign} walrus${sign}`,
      ]) {
        expect({ q, ids: await forum.ids({ q }) }).toEqual({
          q,
          ids: expect.arrayContaining([whole.id]),
        })
      }
      expect(await forum.ids({ q: 'walrus', sort: 'new' })).toHaveLength(2)
      expect(await forum.ids({ q: '443', sort: 'new' })).toHaveLength(2)
    },
  )

  it('finds texts with some words of a question if no text has all of them', async () => {
    const both = aPost({ body_md: 'A leak in the pool.' })
    const one = aPost({ body_md: 'A pool.' })
    const common = aPost({ body_md: 'How do I find a leak when it is dark?' })
    await searchOf(both, one, common, aPost({ body_md: 'How it leaks.' }))

    expect(await forum.ids({ q: 'how do I mend the pool when it is a leak' })).toEqual([
      both.id,
      one.id,
      common.id,
    ])
  })

  it('ranks the text with most of the words first, even if a word occurs only in texts of another type', async () => {
    const wanted = aPost({ body_md: 'The preflight of a browser is refused.' })
    const elsewhere = aPost({ type: 'comment', body_md: 'CORS, said by somebody.' })
    await searchOf(
      wanted,
      elsewhere,
      aPost({ body_md: 'Refused.' }),
      aPost({ body_md: 'A browser.' }),
    )

    const [first] = await forum.ids({ q: 'CORS preflight refused by the browser' })

    expect(first).toBe(wanted.id)
  })

  it('does not rank a text with one rare word above a text with most of the words', async () => {
    const wanted = aPost({ body_md: 'Out of memory: CUDA could not allocate.' })
    const astray = aPost({ body_md: 'A lockfile of total capacity.' })
    const others = ['CUDA', 'memory', 'allocate'].map((word) =>
      aPost({ body_md: `About ${word}.` }),
    )
    await searchOf(astray, wanted, ...others)

    const found = await forum.ids({
      q: 'CUDA out of memory. Tried to allocate 512 MiB (total capacity)',
    })

    expect(found[0]).toBe(wanted.id)
    expect(found).toContain(astray.id)
  })

  it('counts a word as rare if it is rare within the filters, however common it is elsewhere', async () => {
    const [here, there] = [{ community: 'here' }, { community: 'there' }]
    const rare = aPost({ title: 'tide', ...here })
    const common = [aPost({ title: 'zeal', ...here }), aPost({ title: 'zeal', ...here })]
    const others = Array.from({ length: 10 }, () => aPost({ title: 'tide', ...there }))
    await searchOf(rare, ...common, ...others)

    const ids = await forum.ids({ q: 'tide zeal', community: ['here'] })

    expect(ids).toHaveLength(3)
    expect(ids[0]).toBe(rare.id)
  })

  it('leaves out texts with too few of the words if another text has most of them', async () => {
    const wanted = aPost({ body_md: 'resolver loads modules of pnpm workspaces twice' })
    const hardly = Array.from({ length: 6 }, () => aPost({ body_md: 'It loads.' }))
    await searchOf(wanted, ...hardly)

    const q = 'resolver loads wrong modules of pnpm workspaces'
    expect(await forum.ids({ q })).toEqual([wanted.id])
  })

  it('finds a text that has a part of the qualified name in the query', async () => {
    const path = aPost({ body_md: 'os.path.join drops what stands before a slash.' })
    const vector = aPost({ body_md: 'A call of std::vec::Vec::with_capacity is cheaper.' })
    const port = aPost({ body_md: 'It listens on 20, behind 11.' })
    await searchOf(path, vector, port)

    const names = [
      'os.path.exists',
      'path.join',
      'Vec::push',
      'vec::Vec::push slow',
      'port-20.11.3',
    ]
    const found = await Promise.all(names.map((q) => forum.ids({ q })))

    expect(found).toEqual([[path.id], [path.id], [vector.id], [vector.id], []])
  })

  it.each(['maxPollRecords', 'KAFKA_MAX_POLL_RECORDS', '--max-poll-records', 'max.poll.records'])(
    'finds a text with %s by the name in camelCase and in snake_case',
    async (name) => {
      const wanted = aPost({ body_md: `We set ${name} to 50.` })
      await searchOf(wanted, aPost({ body_md: 'A poll of all records at most.' }))

      for (const q of [
        'maxPollRecords',
        'MaxPollRecords set',
        'max_poll_records',
        'MAX_POLL_RECORDS',
      ])
        expect({ q, first: (await forum.ids({ q }))[0] }).toEqual({ q, first: wanted.id })
    },
  )

  it('finds the last part of a qualified name in camelCase and in snake_case', async () => {
    const snake = aPost({ body_md: 'We set max_poll_records to 50.' })
    const camel = aPost({ body_md: 'An isReadyToServe is false for long.' })
    await searchOf(snake, camel, aPost({ body_md: 'A poll says so.' }))

    const names = [
      'consumer.maxPollRecords',
      'Kafka::Consumer.maxPollRecords',
      'this.isReadyToServe()',
    ]
    const found = await Promise.all(names.map(async (q) => (await forum.ids({ q }))[0]))

    expect(found).toEqual([snake.id, snake.id, camel.id])
  })

  it('finds a number with its unit, with or without a space between them', async () => {
    const together = aPost({ body_md: 'The worker took 16GiB.' })
    const apart = aPost({ body_md: 'The worker took 16 GiB.' })
    await searchOf(together, apart, aPost({ body_md: 'It took 8GiB.' }))

    for (const q of ['16 GiB', '16GiB']) {
      const found = await forum.ids({ q })
      expect({ q, ids: found.slice(0, 2).sort() }).toEqual({
        q,
        ids: [together.id, apart.id].sort(),
      })
    }
  })

  it.each([
    ['Crashes under python3.11 today.', ['python 3.11', 'python3.11']],
    ['Crashes under Python 3.11 today.', ['python 3.11', 'python3.11']],
    ['A handshake by TLSv1.3.', ['TLS 1.3', 'TLSv1.3', 'TLS v1.3']],
    ['A handshake by TLS 1.3.', ['TLS 1.3', 'TLSv1.3', 'TLS v1.3']],
    ['A handshake by TLS v1.3.', ['TLS 1.3', 'TLSv1.3', 'TLS v1.3']],
    ['At most 65,536 rows.', ['65536', '65,536', '65_536']],
    ['At most 65536 rows.', ['65536', '65,536', '65_536']],
  ])('finds %j however the query writes its numbers', async (body_md, questions) => {
    const post = aPost({ body_md })
    await searchOf(post, aPost({ body_md: 'Crashes by 65, at 3.' }))

    const found = await Promise.all(questions.map((q) => forum.ids({ q, sort: 'new' })))

    expect(found).toEqual(questions.map(() => [post.id]))
  })

  it.each([
    ['数据库连接池耗尽导致超时。PostgreSQL', 'PostgreSQL 连接池耗尽怎么解决'],
    ['メモリリークの原因。Node', 'Node メモリリークの調べ方'],
    ['การเชื่อมต่อฐานข้อมูลหมดเวลา PostgreSQL', 'PostgreSQL ฐานข้อมูลไม่ตอบสนอง'],
    ['데이터베이스 연결이 끊어집니다', '데이터베이스가'],
    ['서버의 데이터베이스 연결이 끊어집니다 PostgreSQL', 'PostgreSQL 데이터베이스가 느려요'],
  ])(
    'finds %s by %s, although they share only a part of the words without spaces',
    async (body_md, q) => {
      const wanted = aPost({ body_md })
      const titles = ['PostgreSQL', 'PostgreSQL', 'Node', 'Node']
      await searchOf(wanted, ...titles.map((title) => aPost({ title })))

      expect((await forum.ids({ q }))[0]).toBe(wanted.id)
    },
  )

  it.each([
    [
      'Templates of C++17 are slow.',
      ['C++', 'c++17', 'cpp templates', 'slow c++17'],
      ['C#', 'f#', 'g++'],
    ],
    ['Linked by g++, not by hand.', ['g++'], ['c++', 'clang++']],
    ['An async deadlock (C#).', ['c#', 'C# deadlock', 'csharp'], ['C++', 'F#']],
    ['F#: tail calls.', ['F#', 'fsharp', '"F#" tail'], ['C#', '.net']],
    ['A host on .NET 8.', ['.NET', '.net8', 'dotnet 8', '.NET 8'], ['C#', 'example.net/8']],
    ['A bridge in Objective-C++.', ['Objective-C++', 'objective c++'], ['objective c#']],
  ])(
    'distinguishes the programming language in %j from others by its signs',
    async (body_md, its, others) => {
      const wanted = aPost({ body_md })
      const ofOthers = [
        'Mind net and 8 in C.',
        'A host: example.net',
        'count++ of C',
        'page.html#c',
      ]
      await searchOf(wanted, ...ofOthers.map((other) => aPost({ body_md: other })))
      const found = (q: string) => forum.ids({ q, sort: 'new' })

      for (const q of its)
        expect({ q, has: (await found(q)).includes(wanted.id) }).toEqual({ q, has: true })
      for (const q of others)
        expect({ q, has: (await found(q)).includes(wanted.id) }).toEqual({ q, has: false })
    },
  )

  it.each([
    ['k8s', 'Kubernetes'],
    ['H.264', 'h264'],
    ['h265', 'H.265'],
    ['Postgres', 'PostgreSQL'],
    ['env vars', 'environment variables', 'environment variable'],
    ['timed out', 'timeout', 'time-out', 'timing out', 'Timeouts'],
  ])('finds texts with %s and with its synonyms by each of them', async (...same) => {
    const posts = same.flatMap((one) => [
      aPost({ title: one }),
      aPost({ body_md: `It says: ${one}.` }),
      aPost({ tags: [one.toLowerCase().replace(' ', '-')] }),
    ])
    await searchOf(...posts, aPost({ body_md: 'In the meantime a time, out of variables.' }))

    for (const q of same) {
      const ids = await forum.ids({ q, sort: 'new', limit: 50 })
      expect({ q, ids: ids.sort() }).toEqual({ q, ids: posts.map(({ id }) => id).sort() })
    }
  })

  it('finds a long name by its short form, but finds no other text with this short form', async () => {
    const post = aPost({ body_md: 'Written in TypeScript, not in JavaScript or golang.' })
    await searchOf(post, aPost({ body_md: 'Go and see node.js or main.ts.' }))

    for (const q of ['ts javascript', 'js golang', 'typescript'])
      expect({ q, ids: await forum.ids({ q, sort: 'new' }) }).toEqual({ q, ids: [post.id] })
  })

  it('finds C++ by C, too, and excludes only C++ by -C++', async () => {
    const posts = ['C++ templates', 'C# templates', 'C templates'].map((title) => aPost({ title }))
    await searchOf(...posts)
    const [cpp, csharp, c] = posts.map(({ id }) => id)

    expect((await forum.ids({ q: 'C templates' })).sort()).toEqual([cpp, csharp, c].sort())
    expect((await forum.ids({ q: 'templates -C++' })).sort()).toEqual([csharp, c].sort())
  })

  it('pages through and counts the texts with some of the words', async () => {
    const posts = Array.from({ length: 7 }, (_, i) =>
      aPost({ body_md: `kiosk ${i < 3 ? 'harbour' : 'tide'}`, tags: [i < 3 ? 'port' : 'sea'] }),
    )
    await searchOf(...posts, aPost({ body_md: 'kiosk of others', kind: 'claim' }))
    const q = 'lantern kiosk harbour tide'
    const asked = { q, kind: 'result', limit: 3 }
    const cursor = (offset: number) => cursorOf(offset, { q, kind: ['result'] })

    const all = await forum.search({ ...asked, limit: 25 })
    const later = [3, 6].map((offset) => forum.ids({ ...asked, before: cursor(offset) }))
    const pages = [await forum.ids(asked), ...(await Promise.all(later))]

    expect(all).toMatchObject({
      estimated_total: 7,
      facets: { kind: { result: 7 }, tag: { port: 3, sea: 4 } },
    })
    expect(pages.flat()).toEqual(all.hits.map(({ id }) => id))
    // Rarer words count for more.
    expect(pages[0]?.sort()).toEqual(
      posts
        .slice(0, 3)
        .map(({ id }) => id)
        .sort(),
    )
    for (const { relevance } of all.hits) expect(relevance).toBeLessThan(1)
  })

  it('does not count punctuation between words as a word', async () => {
    const wanted = aPost({ body_md: 'npm ERR! the lockfile is out of date' })
    await searchOf(wanted, aPost({ body_md: 'kiosk' }), aPost({ body_md: 'harbour' }))

    expect(await forum.ids({ q: 'npm ( lockfile ) & ; !' })).toEqual([wanted.id])
  })

  it('lists the newest texts for very common words, unless a title has these words', async () => {
    const plain = aPost({ title: 'Kiosk', body_md: 'This is how to do it.' })
    const titled = aPost({ title: 'To be or not', body_md: 'harbour' })
    await searchOf(plain, titled)

    expect((await forum.ids({ q: 'how did you' })).sort()).toEqual([plain.id, titled.id].sort())
    expect(await forum.ids({ q: 'to be' })).toEqual([titled.id])
  })

  it('finds no text without any of the words, and no text with an excluded word', async () => {
    await searchOf(aPost({ body_md: 'kiosk harbour' }))

    expect(await forum.ids({ q: 'lantern wharf' })).toEqual([])
    expect(await forum.ids({ q: 'lantern kiosk -harbour' })).toEqual([])
  })

  it('excludes a word, however many words come before it in the query', async () => {
    const words = Array.from({ length: 12 }, (_, i) => `kiosk${code(i)}`).join(' ')
    const wanted = aPost({ body_md: words })
    await searchOf(wanted, aPost({ body_md: `${words} harbour` }))

    expect(await forum.ids({ q: `${words} -harbour` })).toEqual([wanted.id])
  })

  it('goes by the rare words of a long message, wherever they are in the message', async () => {
    const beginning = 'npm ERR! npm ERR! code 1 at app@1.0.0 to build it by step 2 or 3'
    const wanted = aPost({ body_md: `${beginning}: SegmentationViolation in minifier` })
    const others = Array.from({ length: 6 }, () => aPost({ body_md: `${beginning}: all is well` }))
    await searchOf(wanted, ...others)

    const q = `${beginning}: SegmentationViolation`
    expect(await forum.ids({ q, sort: 'new' })).toEqual([wanted.id])
    expect((await forum.ids({ q }))[0]).toBe(wanted.id)
  })

  it.each([
    'out-of-memory',
    'git push --force-with-lease',
    'off-by-one',
    'gcc -Wsign-compare',
    'gcc -march=native',
    'tar -xzf archive.tgz',
    'in-place',
    'gpt-4-turbo',
    'x86-64-linux',
  ])('takes no part of %s for an excluded word', async (text) => {
    const post = aPost({ body_md: `It says ${text} here.` })
    await searchOf(post)

    expect(await forum.ids({ q: text })).toEqual([post.id])
  })

  it.each([
    ['E0382', 'E0383'],
    ['TS2345', 'TS2344'],
    ['0x80070005', '0x80070003'],
    ['3f2a9c1e7b', '3f2a9c1d7b', '3f2a9b1'],
    ['ES2022', 'ES2021'],
  ])('does not take another code for a misspelling of %s', async (q, ...others) => {
    const wanted = aPost({ body_md: `It says ${q}.` })
    await searchOf(wanted, ...others.map((other) => aPost({ body_md: `It says ${other}.` })))

    expect(await forum.ids({ q })).toEqual([wanted.id])
  })

  it.each(['443', '5043', '20.99.99', 'port-443'])(
    'does not find %s by its digits in other numbers',
    async (q) => {
      await searchOf(aPost({ body_md: 'Ran 50 shards on port 4, and 20 hosts on 43 9 disks.' }))

      expect(await forum.ids({ q })).toEqual([])
    },
  )

  it('finds a number, alone or with other words, wherever it is in the text', async () => {
    const post = aPost({ title: 'Port 443', body_md: 'On 20.11.1 it took 1500 ms (x86, 3.5).' })
    await searchOf(post)

    for (const q of ['443', '20.11.1', '1500', '"20.11"', 'port 443/tcp 1500ms', '3.5', 'x86']) {
      expect({ q, ids: await forum.ids({ q }) }).toEqual({ q, ids: [post.id] })
    }
  })

  it('finds a version number with and without its v', async () => {
    const title = aPost({ title: 'Node v20.11.1 hangs' })
    const body = aPost({ body_md: 'Seen with Node v20.11.1 alone.' })
    const bare = aPost({ body_md: 'Seen with Node 20.11.1 as well.' })
    const engine = aPost({ body_md: 'V8 is an engine.' })
    await searchOf(bare, body, title, engine)

    for (const q of ['20.11.1', 'v20.11.1']) {
      const ids = await forum.ids({ q })
      expect({ q, ids: ids.sort() }).toEqual({ q, ids: [bare.id, body.id, title.id].sort() })
    }
    expect(await forum.ids({ q: 'v8' })).toEqual([engine.id])
  })

  it('finds a quotation by its words, wherever they are in the text', async () => {
    const post = aPost({ title: 'The type checker', body_md: 'It hides the type problem.' })
    await searchOf(post)

    expect(await forum.ids({ q: '"hides the type problem"' })).toEqual([post.id])
    expect(await forum.ids({ q: 'problem -"type checker"' })).toEqual([])
  })

  it('finds a query of only very common words in titles and summaries, but not in bodies', async () => {
    const title = aPost({ title: 'To be or not to be' })
    const summary = aPost({ summary: 'To be or not to be.' })
    await searchOf(summary, title, aPost({ body_md: 'To be or not to be.' }))

    expect(await forum.ids({ q: 'to be or not' })).toEqual([title.id, summary.id])
  })

  it('ranks a word at the beginning of a body above the same word at its end', async () => {
    const others = Array.from({ length: 60 }, (_, i) => `a${code(i)}`).join(' ')
    const late = aPost({ body_md: `${others}. Tide last.` })
    const early = aPost({ body_md: `Tide first. ${others}` })
    await searchOf(early, late)

    expect(await forum.ids({ q: 'tide' })).toEqual([early.id, late.id])
  })

  it('filters by type, kind, community, tag, agent and time', async () => {
    const one = aPost({ kind: 'claim', community: 'intros', tags: ['c++', 'go'], agent: 'bob' })
    const two = aPost()
    await searchOf(one, two, aComment())

    expect(await forum.ids({ kind: 'claim,question' })).toEqual([one.id])
    expect(await forum.ids({ community: 'intros' })).toEqual([one.id])
    expect(await forum.ids({ tag: 'c++' })).toEqual([one.id])
    expect(await forum.ids({ agent: 'bob' })).toEqual([one.id])
    expect(await forum.ids({ since: new Date(one.created_at).toISOString() })).toEqual([two.id])
    expect((await forum.search()).facets.tag).toEqual({ 'c++': 1, go: 1 })
  })

  it('filters comments by community and agent', async () => {
    const one = aComment({ community: 'intros' })
    const two = aComment({ agent: 'bob' })
    await searchOf(one, two, aPost({ community: 'intros', agent: 'bob' }))
    const comments = (filter: object) => forum.ids({ type: 'comment', ...filter })

    expect(await comments({})).toEqual([two.id, one.id])
    expect(await comments({ community: 'intros' })).toEqual([one.id])
    expect(await comments({ agent: 'bob' })).toEqual([two.id])
    expect(await comments({ community: 'intros', agent: 'bob' })).toEqual([])
  })

  it('counts the most frequent values of a facet', async () => {
    const posts = Array.from({ length: FACET_VALUES_MAX + 5 }, (_, i) =>
      aPost({ tags: [`a${code(i)}`, ...(i % 2 === 0 ? ['tide'] : []), 'zeal'] }),
    )
    await searchOf(...posts)

    const { tag } = (await forum.search()).facets

    expect(Object.keys(tag)).toHaveLength(FACET_VALUES_MAX)
    expect(Object.entries(tag).slice(0, 2)).toEqual([
      ['zeal', posts.length],
      ['tide', Math.ceil(posts.length / 2)],
    ])
  })

  it.each(['tide', 'tide zeal'])(
    'counts no kind and no community for a comment that has none: %s',
    async (q) => {
      await searchOf(aComment({ body_md: 'tide', community: '' }))

      const { estimated_total, facets } = await forum.search({ q, type: 'comment' })

      expect(estimated_total).toBe(1)
      expect(facets).toEqual({ kind: {}, community: {}, tag: {} })
    },
  )

  it('lists the newest texts for an empty query, and sorts by time or score on request', async () => {
    const old = aPost({ title: 'tide', score: 9 })
    const young = aPost({ body_md: 'tide' })
    await searchOf(old, young)

    expect(await forum.ids()).toEqual([young.id, old.id])
    // Without words, no document fits better than another.
    expect((await forum.search()).hits.map(({ relevance }) => relevance)).toEqual([0, 0])
    expect(await forum.ids({ q: 'tide' })).toEqual([old.id, young.id])
    expect(await forum.ids({ q: 'tide', sort: 'new' })).toEqual([young.id, old.id])
    // Answers all hits, since content orders them by the present votes.
    const all = { sort: 'top', limit: 1, before: cursorOf(1, { sort: 'top' }) }
    expect(await forum.ids(all)).toEqual([old.id, young.id])
  })

  it('returns ten hits unless the query asks for more', async () => {
    await searchOf(...Array.from({ length: 11 }, () => aPost({ title: 'one of many' })))

    expect(await forum.ids({ q: 'many' })).toHaveLength(10)
    expect(await forum.ids({ q: 'many', limit: 25 })).toHaveLength(11)
  })

  it('pages to the end without gap or overlap', async () => {
    const posts = Array.from({ length: 7 }, () => aPost({ title: 'page me', tags: ['c++'] }))
    await searchOf(...posts)
    const seen: string[] = []
    for (const offset of [0, 3, 6]) {
      const before = offset === 0 ? {} : { before: cursorOf(offset, { q: 'page', tag: ['c++'] }) }
      seen.push(...(await forum.ids({ q: 'page', limit: 3, tag: 'c++', ...before })))
    }

    expect(seen).toEqual(posts.map(({ id }) => id).reverse())
  })

  it('refuses an invalid cursor, a cursor of another search and a cursor beyond the maximum depth', async () => {
    await searchOf()
    for (const before of ['x', cursorOf(1_000), cursorOf(1_001), cursorOf(1, { q: 'other' })]) {
      await expect(forum.search({ before })).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
  })
})

ofEachSize('the index', MERGED_AT_ONCE, () => {
  it('is corrected if a post changes while it is being indexed', async () => {
    await searchOf()
    const post = aPost({ title: 'first draft' })
    forum.documents.set(post.id, post)
    let changes = 0
    // The post changes between the reading and the writing, as when another replica is faster.
    forum.whileReading = () => {
      if (changes++ < 1)
        forum.documents.set(post.id, { ...post, title: 'second draft', version: 2 })
    }

    await forum.tell('published', post.id)

    await eventuallyPasses(async () => expect(await forum.ids({ q: 'second' })).toEqual([post.id]))
    // A text that was merged before the correction is found by its old words until the next merge.
    await eventuallyPasses(async () => expect(await forum.ids({ q: 'first' })).toEqual([]))
  })

  it.each([
    ['it was wiped', 'wipe'],
    ['its documents were deleted', 'empty'],
  ] as const)('is unavailable instead of empty after %s, and is filled again', async (_, lose) => {
    await searchOf()
    expect(await forum.ids()).toEqual([])
    const posts = [aPost(), aPost()]
    await forum.publish(...posts)
    await eventuallyPasses(async () => expect(await forum.ids()).toHaveLength(2))

    const isRefused = signal()
    forum.whileReading = () => isRefused.given
    await forum.meili[lose]()

    await expect(forum.search()).rejects.toMatchObject({ code: 'unavailable' })
    isRefused.give()
    await eventuallyPasses(async () => expect(await forum.ids()).toHaveLength(2))
  })

  it('can be searched while it is rebuilt on request, and misses no post that is published meanwhile', async () => {
    const posts = Array.from({ length: 450 }, () => aPost())
    await searchOf(...posts)
    const forgotten = posts[0] as (typeof posts)[0]
    forum.documents.delete(forgotten.id)

    expect(await forum.rebuild(true)).toMatchObject({ state: 'running', total: 449 })
    const answers: number[] = []
    const late: ReturnType<typeof aPost>[] = []
    await eventuallyPasses(async () => {
      const post = aPost({ title: 'meanwhile' })
      late.push(post)
      await forum.publish(post)
      answers.push((await forum.search()).estimated_total)
      expect((await forum.rebuild(false)).state).toBe('idle')
    })

    expect(Math.min(...answers)).toBeGreaterThanOrEqual(449)
    const wanted = late.map(({ id }) => id).reverse()
    await eventuallyPasses(async () =>
      expect(await forum.ids({ q: 'meanwhile', sort: 'new', limit: 100 })).toEqual(
        wanted.slice(0, 100),
      ),
    )
    // Until the merge, documents in two indexes are counted twice.
    await eventuallyPasses(async () =>
      expect((await forum.search()).estimated_total).toBe(449 + late.length),
    )
  })

  it('is built only once if several replicas start at the same time', async () => {
    const post = aPost()
    forum.documents.set(post.id, post)
    let reads = 0
    forum.whileReading = (limit) => {
      if (limit > 1) reads++
    }
    await Promise.all([forum.startSearch(), forum.startSearch(), forum.startSearch()])
    await eventuallyPasses(async () => expect(await forum.health()).toMatchObject({ status: 'ok' }))
    await eventuallyPasses(async () =>
      expect(await forum.rebuild(false)).toMatchObject({ state: 'idle' }),
    )

    expect(await forum.ids()).toHaveLength(1)
    // One replica reads four types, and the end of the type that has a document.
    expect(reads).toBe(4 + 1)
  })
})

describeWithMeili('search on a large forum', () => {
  const sizesAre = (sizes: { live: number; recent: number }) =>
    eventuallyPasses(async () => expect(await forum.meili.sizes()).toEqual(sizes))

  beforeEach(() => {
    settings = LARGE
  })

  it('keeps new texts in an index of their own until they are merged', async () => {
    const [old, young] = [aPost({ score: 1 }), aPost()]
    await searchOf(old)
    await forum.publish(young)
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([young.id, old.id]))
    await sizesAre({ live: 1, recent: 1 })

    await forum.stopSearch()
    await forum.startSearch(MERGED_AT_ONCE)

    expect(await forum.ids()).toEqual([young.id, old.id])
    await sizesAre({ live: 2, recent: 0 })
    expect(await forum.ids()).toEqual([young.id, old.id])
  })

  it('finds an edited text once, in its last version', async () => {
    const post = aPost({ title: 'tide one' })
    await searchOf(post)

    await forum.publish({ ...post, title: 'tide two', version: 2 })

    await eventuallyPasses(async () => expect(await forum.ids({ q: 'two' })).toEqual([post.id]))
    expect((await forum.search({ q: 'tide' })).hits).toMatchObject([{ id: post.id, version: 2 }])
  })

  it('pages without gap or overlap after an edit has moved a text to the end', async () => {
    const titled = ['tide one', 'tide two', 'tide three', 'tide four'].map((title) =>
      aPost({ title }),
    )
    const edited = titled.at(-1) as (typeof titled)[number]
    await searchOf(...titled)
    expect((await forum.ids({ q: 'tide' }))[0]).toBe(edited.id)

    await forum.publish({ ...edited, title: 'ebb', body_md: 'the tide', version: 2 })
    await eventuallyPasses(async () => expect(await forum.consumedTo()).toBe(await forum.told()))

    const seen: string[] = []
    for (const offset of [0, 2]) {
      const before = offset === 0 ? {} : { before: cursorOf(offset, { q: 'tide' }) }
      seen.push(...(await forum.ids({ q: 'tide', limit: 2, ...before })))
    }
    const [first, second, third] = titled.map(({ id }) => id)
    expect(seen).toEqual([third, second, first, edited.id])
  })

  it('forgets a removed text at once, whichever index holds it', async () => {
    const [old, young] = [aPost(), aPost()]
    await searchOf(old)
    await forum.publish(young)
    await eventuallyPasses(async () => expect(await forum.ids()).toHaveLength(2))

    await forum.remove(old, young)

    await eventuallyPasses(async () => expect((await forum.search()).estimated_total).toBe(0))
    await sizesAre({ live: 0, recent: 0 })
  })

  /**
   * Publishes the post, which is merged at once. Search asks content for versions once after
   * indexing it; at each later time, after the merge, `act` runs first. Returns how often content
   * was asked.
   */
  async function publishAndMerge(post: ReturnType<typeof aPost>, act: (time: number) => unknown) {
    settings = MERGED_AT_ONCE
    await searchOf()
    let comparings = 0
    forum.beforeComparing = async () => {
      if (++comparings >= 2) await act(comparings)
    }
    await forum.publish(post)
    return () => comparings
  }

  it('misses no change that another replica hears of during a merge', async () => {
    const post = aPost({ title: 'first draft' })
    const second = { ...post, title: 'second draft', version: 2 }

    const comparings = await publishAndMerge(post, () => forum.documents.set(post.id, second))

    await eventuallyPasses(async () => expect(comparings()).toBeGreaterThanOrEqual(3))
    await sizesAre({ live: 1, recent: 0 })
    expect(await forum.ids({ q: 'second' })).toEqual([post.id])
    expect(await forum.ids({ q: 'first' })).toEqual([])
  })

  it('finds a text by its new time if a moderator hid and restored it during a merge', async () => {
    const post = aPost()
    const since = new Date(post.created_at + 1).toISOString()
    const back = { ...post, created_at: post.created_at + 1_000 }

    const comparings = await publishAndMerge(post, () => forum.documents.set(post.id, back))

    await eventuallyPasses(async () => expect(comparings()).toBeGreaterThanOrEqual(2))
    await eventuallyPasses(async () => expect(await forum.ids({ since })).toEqual([post.id]))
    await sizesAre({ live: 1, recent: 0 })
  })

  it('loses no text that is merged into an index that a rebuild replaces', async () => {
    const post = aPost()

    // A rebuild that began before the post was written has swapped in its own index in the
    // meantime.
    const comparings = await publishAndMerge(post, (time) => time === 2 && forum.meili.forget(post))

    await eventuallyPasses(async () => expect(comparings()).toBeGreaterThanOrEqual(3))
    await sizesAre({ live: 1, recent: 0 })
    expect(await forum.ids()).toEqual([post.id])
  })

  it('compares merged texts with content later if content was away', async () => {
    const post = aPost()

    const comparings = await publishAndMerge(post, (time) => {
      // The post is removed during the merge, and no event tells of it.
      forum.documents.delete(post.id)
      if (time === 2) throw new AppError('unavailable')
    })

    await eventuallyPasses(async () => expect(comparings()).toBeGreaterThanOrEqual(3))
    await sizesAre({ live: 0, recent: 0 })
  })

  it('compares merged texts with content after its restart if it stopped before that', async () => {
    const post = aPost()
    const comparings = await publishAndMerge(post, () => {
      forum.documents.delete(post.id)
      throw new AppError('unavailable')
    })
    await eventuallyPasses(async () => expect(comparings()).toBeGreaterThanOrEqual(2))
    await sizesAre({ live: 1, recent: 0 })

    await forum.stopSearch()
    forum.beforeComparing = () => {}
    await forum.startSearch(settings)

    await sizesAre({ live: 0, recent: 0 })
  })

  it('compares the texts that another replica was merging when it was killed', async () => {
    settings = MERGED_AT_ONCE
    const [gone, next] = [aPost(), aPost()]
    await searchOf(gone)
    forum.documents.delete(gone.id)
    await forum.meili.noteMerging(gone)

    await forum.publish(next)

    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([next.id]))
    await sizesAre({ live: 1, recent: 0 })
  })

  it('merges all new texts once the forum counts as small again', async () => {
    const post = aPost()
    await searchOf()
    await forum.publish(post)
    await eventuallyPasses(async () => expect(await forum.ids()).toEqual([post.id]))
    await forum.stopSearch()

    await forum.startSearch({})

    expect(await forum.ids()).toEqual([post.id])
    await sizesAre({ live: 1, recent: 0 })
    expect(await forum.ids()).toEqual([post.id])
  })

  it('fills its index again after the index of new texts was lost', async () => {
    const posts = [aPost(), aPost()]
    await searchOf()
    await forum.publish(...posts)
    await eventuallyPasses(async () => expect(await forum.ids()).toHaveLength(2))

    await forum.meili.wipe('recent')

    await eventuallyPasses(async () => expect(await forum.ids()).toHaveLength(2))
  })
})

describeWithMeili('search with a wrong key for Meilisearch', () => {
  it('logs the reason of the refusal, but not the key', async () => {
    const away = () => forum.logged.map((line) => JSON.parse(line)).filter(({ up }) => up === false)
    await forum.startSearch({ MEILI_KEY: 'not-the-key-of-this-server' })
    await eventuallyPasses(async () => expect(away()).not.toEqual([]))

    expect(away()).toEqual([
      expect.objectContaining({
        level: 40,
        err: expect.objectContaining({
          cause: expect.objectContaining({ message: 'The provided API key is invalid.' }),
        }),
      }),
    ])
    expect(forum.logged.join()).not.toContain('not-the-key-of-this-server')
  })
})

describeWithMeili('search with the setting SEARCHES_AT_ONCE', () => {
  it('sends as many searches at once to Meilisearch as the setting allows', async () => {
    const atOnce = 3
    await searchOf()
    await forum.stopSearch()
    let underWay = 0
    const held = signal()
    const { multiSearch } = Meilisearch.prototype
    jest.spyOn(Meilisearch.prototype, 'multiSearch').mockImplementation(async function (
      this: Meilisearch,
      ...asked
    ) {
      underWay++
      await held.given
      return multiSearch.apply(this, asked)
    } as typeof multiSearch)
    await forum.startSearch({ SEARCHES_AT_ONCE: `${atOnce}` })

    const searching = Array.from({ length: 2 * atOnce }, () => forum.search())
    await eventuallyPasses(async () => expect(underWay).toBe(atOnce))
    // Requests sent after the searches are answered when all searches have arrived.
    await forum.health()
    expect(underWay).toBe(atOnce)
    held.give()

    await Promise.allSettled(searching)
  })

  it.each(['0', '33', 'many'])('does not start if the setting is %s', async (given) => {
    const started = forum.startSearch({ SEARCHES_AT_ONCE: given })

    await expect(started).rejects.toThrow(/^bad configuration\n {2}SEARCHES_AT_ONCE: /)
  })
})

it.each([
  ['ftp://ada:open-sesame@localhost', 'is not an http or https address'],
  // Search would not send user and password: the key of Meilisearch is a setting of its own.
  ['http://ada:open-sesame@localhost:7700', 'must not contain a user'],
])('search does not start if the address of Meilisearch is %s', async (url, reason) => {
  const started = forum.startSearch({ MEILI_URL: url })

  await expect(started).rejects.toThrow(new RegExp(`^bad configuration\\n {2}MEILI_URL: ${reason}`))
  await expect(started).rejects.not.toThrow('open-sesame')
})

it('search without a Meilisearch answers unavailable and reports degraded health', async () => {
  await forum.startSearch({ MEILI_URL: '' })

  await expect(forum.search()).rejects.toBeInstanceOf(AppError)
  await expect(forum.search()).rejects.toMatchObject({ code: 'unavailable' })
  expect(await forum.health()).toMatchObject({ status: 'degraded', parts: { search: 'down' } })
})

it('the rebuild command fails at once if search runs without a Meilisearch', async () => {
  await forum.startSearch({ MEILI_URL: '' })

  const { code, output } = await forum.rebuildByCommand()

  expect(output.trim()).toBe('There is no index to rebuild: search runs without MEILI_URL.')
  expect(code).toBe(1)
})
