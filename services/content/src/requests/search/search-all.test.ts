import { beforeAll, describe, expect, it } from '@jest/globals'
import { searchListName } from '@stoa/shared/answers/cursor.js'
import { deleteMe } from '@stoa/shared/contracts/agents.js'
import { deleteComment } from '@stoa/shared/contracts/comments.js'
import { createCommunity } from '@stoa/shared/contracts/communities.js'
import { deletePost, editPost } from '@stoa/shared/contracts/posts.js'
import { SEARCH_DEPTH_MAX, searchAll } from '@stoa/shared/contracts/search.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { loadCorpus } from '../../../../../bench/corpus/load.mjs'
import { eventually } from '../../../../../tests/support/eventually.ts'
import { ContentUnderTest, type Someone } from '../../testing/content-under-test.ts'
import { commentIn } from '../../testing/found-in.ts'
import { inContent } from '../../testing/in-content.ts'
import { ModeratedForum } from '../../testing/moderated-forum.ts'

let content: ContentUnderTest
let ann: Someone
let bob: Someone
/** Ann's post in general, and Bob's in meta; each has a comment by the other. */
let general: string
let meta: string
let answerOfBob: string
let answerOfAnn: string

inContent(async (started) => {
  content = started
  ann = await content.register()
  bob = await content.register()
  general = await content.postId(ann, { title: 'A capybara', tags: ['rodents'], kind: 'claim' })
  meta = await content.postId(bob, { title: 'Another capybara', slug: 'meta' })
  const answer = { body_md: 'It was a capybara.' }
  answerOfBob = (await content.comment(general, bob, answer)).id
  answerOfAnn = (await content.comment(meta, ann, answer)).id
})

const search = async (asked: object) => (await content.ask(searchAll, asked)).data
const idsOf = async (asked: object) => (await search(asked)).items.map(({ id }) => id).sort()

/** Searches with words and without, which use different statements. */
describe.each(['capybara', ''])('the search of last resort for "%s"', (q) => {
  it('filters posts by kind, community, tag, agent and time', async () => {
    const posts = (filter: object) => idsOf({ q, ...filter })

    expect(await posts({})).toEqual([general, meta].sort())
    expect(await posts({ kind: 'claim,question' })).toEqual([general])
    expect(await posts({ community: 'meta' })).toEqual([meta])
    expect(await posts({ tag: 'rodents,birds' })).toEqual([general])
    expect(await posts({ agent: bob.handle })).toEqual([meta])
    expect(await posts({ since: '2999-01-01' })).toEqual([])
    expect(await posts({ kind: 'claim', agent: bob.handle })).toEqual([])
    expect(await posts({ kind: ',' })).toEqual([general, meta].sort())
  })

  it('filters comments by the community of their post, and by their own author', async () => {
    const comments = (filter: object) => idsOf({ q, type: 'comment', ...filter })

    expect(await comments({})).toEqual([answerOfBob, answerOfAnn].sort())
    expect(await comments({ community: 'general' })).toEqual([answerOfBob])
    expect(await comments({ agent: ann.handle })).toEqual([answerOfAnn])
    expect(await comments({ agent: ann.handle, community: 'general' })).toEqual([])
    expect(await comments({ since: '2999-01-01' })).toEqual([])
  })
})

it('the search of last resort finds and counts nothing that strangers cannot see', async () => {
  const words = 'An axolotl.'
  const eve = await content.register({ bio: words })
  const gone = await content.register({ bio: words })
  const held = await content.register({ bio: `QUARANTINEME ${words}` })
  const [kept, deleted] = [
    await content.postId(eve, { title: words }),
    await content.postId(eve, { title: words }),
  ]
  const comment = async (id: string) => (await content.comment(id, eve, { body_md: words })).id
  const [stays, taken] = [await comment(kept), await comment(kept)]
  await comment(deleted)
  const found = async (slug: string, description: string) => {
    const input = { slug, title: 'Amphibians', description }
    return (await content.ask(createCommunity, input, eve)).data.community.id
  }
  const community = await found('axolotls', words)
  const removed = await found('newts', `FLAGME ${words}`)
  const forum = await ModeratedForum.on(content)
  await forum.resolve((await forum.onlyAlert(removed)).id, 'remove')
  await content.ask(deleteComment, { id: taken }, eve)
  await content.ask(deletePost, { id: deleted }, eve)
  await content.ask(deleteMe, { confirm_handle: gone.handle }, gone)

  const seen = async (asked: object) => {
    const { items, estimated_total } = await search(asked)
    return [estimated_total, ...items.map(({ id }) => id)]
  }
  expect(await seen({ type: 'agent', q: 'axolotl' })).toEqual([1, eve.agent_id])
  for (const { handle } of [gone, held])
    expect(await seen({ type: 'agent', q: handle })).toEqual([0])
  for (const asked of [{ q: 'axolotl' }, { q: '', agent: eve.handle }]) {
    expect(await seen({ ...asked, type: 'post' })).toEqual([1, kept])
    expect(await seen({ ...asked, type: 'comment' })).toEqual([1, stays])
  }
  expect(await seen({ type: 'community', agent: eve.handle })).toEqual([1, community])
})

describe('the estimated total of the search of last resort', () => {
  const asked = { community: 'marmots', limit: 2 }

  beforeAll(async () => {
    const slug = 'marmots'
    await content.ask(createCommunity, { slug, title: 'Marmots', description: 'Whistles.' }, bob)
    for (let i = 0; i < 5; i++) await content.postId(ann, { slug, title: 'A marmot' })
  })

  it.each(['marmot', ''])('for "%s" is the same on every page', async (q) => {
    const first = await search({ ...asked, q })
    const second = await search({ ...asked, q, before: first.next_before })
    const third = await search({ ...asked, q, before: second.next_before })

    const pages = [first, second, third]
    expect(pages.map(({ count }) => count)).toEqual([2, 2, 1])
    expect(pages.map((page) => page.estimated_total)).toEqual([5, 5, 5])
    expect(third.next_before).toBeNull()
    expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(5)
  })

  it.each(['marmot', ''])('for "%s" counts only what matches the filters', async (q) => {
    const totalOf = async (agent: string) => (await search({ ...asked, q, agent })).estimated_total

    expect(await totalOf(ann.handle)).toBe(5)
    expect(await totalOf(bob.handle)).toBe(0)
  })

  it('counts as deep as a search can be paged, and the pages end there', async () => {
    const large = await ContentUnderTest.start()
    const size = { posts: SEARCH_DEPTH_MAX + 50, comments: 0, votes: 0, agents: 10, seed: 1 }
    await loadCorpus(large.databaseUrl, { ...size, untilMs: Date.now() - 60_000 }, () => {})
    const list = searchListName({ q: '', type: 'post', sort: 'relevance' })
    const before = Buffer.from(JSON.stringify([list, SEARCH_DEPTH_MAX - 10])).toString('base64url')

    const first = (await large.ask(searchAll, {})).data
    const last = (await large.ask(searchAll, { before })).data

    await large.stop()
    expect([first, last].map((page) => page.estimated_total)).toEqual([
      SEARCH_DEPTH_MAX,
      SEARCH_DEPTH_MAX,
    ])
    expect(last).toMatchObject({ count: 10, next_before: null })
  })
})

describe('the search of last resort', () => {
  it('shows the post of each comment that it finds', async () => {
    const { items } = await search({ q: 'capybara', type: 'comment', agent: ann.handle })

    expect(commentIn(items[0])).toMatchObject({ post_id: meta, post_title: 'Another capybara' })
  })

  it("filters communities by founder, and counts communities without founder as the forum's", async () => {
    const founded = { slug: 'capybaras', title: 'Capybaras', description: 'All about them.' }
    await content.ask(createCommunity, founded, ann)
    const slugs = async (filter: object) => {
      const { items } = await search({ type: 'community', ...filter })
      return items.map((hit) =>
        hit.type === 'community' ? [hit.community.slug, hit.community.agent_handle] : hit,
      )
    }

    expect(await slugs({ agent: ann.handle })).toEqual([['capybaras', ann.handle]])
    const own = await slugs({ agent: 'stoa' })
    expect(own).toContainEqual(['general', 'stoa'])
    expect(own).not.toContainEqual(['capybaras', ann.handle])
    expect(await slugs({ agent: 'stoa', since: '2999-01-01' })).toEqual([])
  })

  it('finds posts by their tags, links and data, before and after they are indexed', async () => {
    const post = await content.postId(ann, {
      tags: ['borrowck', 'databases'],
      link_url: 'https://example.org/odyssey',
      data: { fix: 'Use a pooler.', environment: { tools: ['pgbench'], os: 'Debian 12' }, runs: 3 },
    })

    const wanted = [
      'borrowck',
      'databases',
      'pooler',
      'pgbench',
      'debian 12',
      'example.org/odyssey',
    ]
    const indexed = () => content.db.query('SELECT 1 FROM search_texts WHERE id = $1', [post])
    const found = async () => {
      for (const q of wanted) expect({ q, ids: await idsOf({ q }) }).toEqual({ q, ids: [post] })
    }
    await found()
    await eventually('it is indexed', async () => (await indexed()).rowCount === 1)
    await found()
    expect(await idsOf({ q: 'environment' })).toEqual([])
  })

  it('finds an edited post once and by its new words only while the index has the old ones', async () => {
    const id = await content.postId(ann, { title: 'A numbat', body_md: 'It eats termites.' })
    await eventually('it is indexed', async () => {
      const { rows } = await content.db.query('SELECT FROM search_texts WHERE id = $1', [id])
      return rows.length === 1
    })
    const release = await content.hold('SELECT FROM search_progress FOR UPDATE')

    await content.ask(editPost, { id, body_md: 'It eats ants.' }, ann)

    const found = [await idsOf({ q: 'numbat' }), await idsOf({ q: 'termites' })]
    await release()
    expect(found).toEqual([[id], []])
  })

  it('finds the text whose id is the query before the texts that contain the id', async () => {
    const citing = await content.postId(ann, { body_md: `See ${general}.` })
    const comments = await search({ q: answerOfBob, type: 'comment' })

    const { items, estimated_total } = await search({ q: general })

    expect(items.map(({ id }) => id)).toEqual([general, citing])
    expect(estimated_total).toBe(2)
    expect(comments.items.map(({ id }) => id)).toEqual([answerOfBob])
  })

  it.each([
    'gcc -march=native',
    'gcc -Wfloat-equal',
    'git push --force',
    'tar -xzf archive.tgz',
    'ls -la',
    'kiosk - quay',
    '(-fast)',
    'RPC error -32601',
    'handshake returned -0x2700',
  ])('takes no part of "%s" for an excluded word', async (q) => {
    const post = await content.postId(ann, { body_md: `It says ${q} here.` })

    expect(await idsOf({ q })).toEqual([post])
  })

  it.each([
    ['Łódź café', 'lodz cafe'],
    ['STRAẞE', 'Straße', 'strasse'],
    ['Ørsted', 'orsted', 'ORSTED'],
    ['after 10 µs', 'after 10 us'],
    ['ＡＰＩ', 'api'],
    ['데이터베이스', '데이터베이스'],
    ['TLSv1.2', 'TLS 1.2', 'TLS v1.2'],
    ['python3.11', 'Python 3.11'],
    ['my_var3', 'my var 3'],
    ['HTTP/2', 'http2', 'HTTP 2'],
    ['utf8', 'UTF-8'],
    ['C++', 'cpp'],
    ['(C#)', 'csharp', 'c#'],
    ['.NET 8', 'dotnet 8', '.net8'],
  ])('finds %s by its other spellings, and the other way round', async (...spellings) => {
    const tag = newId('post').slice(4)
    const posts = await Promise.all(
      spellings.map((body_md) => content.postId(ann, { body_md, tags: [tag] })),
    )
    const indexed = () => content.db.query('SELECT 1 FROM search_texts WHERE id = ANY($1)', [posts])

    const found = async () => Promise.all(spellings.map((q) => idsOf({ q, tag, sort: 'new' })))
    expect(await found()).toEqual(spellings.map(() => [...posts].sort()))
    await eventually('they are indexed', async () => (await indexed()).rowCount === posts.length)
    expect(await found()).toEqual(spellings.map(() => [...posts].sort()))
  })

  it.each([
    ['g++', 'c++'],
    ['C#', 'C++'],
    ['F#', 'C#'],
    ['.NET', 'C++'],
  ])('distinguishes %s from %s', async (name, other) => {
    const tag = newId('post').slice(4)
    const post = await content.postId(ann, { body_md: `Said of ${name}.`, tags: [tag] })
    await content.postId(ann, { body_md: `Said of ${other}.`, tags: [tag] })

    expect(await idsOf({ q: name, tag })).toEqual([post])
    expect(await idsOf({ q: `said -${other}`, tag })).toContain(post)
  })

  it('finds posts with most of the words if no post has all of them, unless sorted or excluded', async () => {
    const most = await content.postId(ann, { title: 'A wombat digs burrows', body_md: 'At dusk.' })
    const few = await content.postId(ann, {
      title: 'A wombat',
      body_md: 'It sleeps in its burrows.',
    })
    const hardly = await content.postId(ann, { title: 'Of dusk', body_md: 'It gets dark.' })
    const q = 'Why does my wombat dig so many burrows at dusk and dawn?'

    const { items, estimated_total } = await search({ q })

    expect(items.slice(0, 2).map(({ id }) => id)).toEqual([most, few])
    expect(estimated_total).toBe(items.length)
    expect(await idsOf({ q: 'wombat burrows dig' })).toEqual([most])
    expect(await idsOf({ q, sort: 'new' })).toEqual([])
    expect(await idsOf({ q: `${q} -dark` })).toEqual([])
    expect(await idsOf({ q: 'dusk gets zeal' })).toContain(hardly)
  })

  it('leaves out texts with an excluded word or quotation', async () => {
    const post = await content.postId(ann, { body_md: 'A wombat digs.' })
    await content.postId(ann, { body_md: 'A wombat sleeps in a burrow.' })

    expect(await idsOf({ q: 'wombat -burrow' })).toEqual([post])
    expect(await idsOf({ q: 'wombat -"in a burrow"' })).toEqual([post])
    const q = 'wombat -burrow -the -x -3 -std=gnu -"in a burrow" "-quoted"'
    const said = await search({ q })
    expect(said.excluded).toEqual(['burrow', 'in a burrow'])
    expect(await search({ q: 'dead-lock' })).not.toHaveProperty('excluded')
  })

  it('finds for words that stand in nearly every text the same posts as without words', async () => {
    expect(await idsOf({ q: 'How to' })).toEqual(await idsOf({ q: '' }))
  })

  it('finds a version with and without its v', async () => {
    const ids = [
      await content.postId(ann, { body_md: 'Node v20.11.1 hangs.' }),
      await content.postId(ann, { title: 'Node 20.11.1 hangs' }),
    ]

    for (const q of ['20.11.1', 'v20.11.1']) expect(await idsOf({ q })).toEqual(ids)
  })

  it('finds words on both sides of each ASCII symbol', async () => {
    const symbols = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
    const pairs = symbols
      .filter((symbol) => !/[a-z0-9]/i.test(symbol))
      .map((symbol, i) => ({ one: `q${i}q`, two: `z${i}z`, symbol }))
    const body_md = pairs.map(({ one, two, symbol }) => `${one}${symbol}${two}`).join(' ')
    const post = await content.postId(ann, { body_md })

    for (const { one, two, symbol } of pairs) {
      for (const q of [one, two, `${one}${symbol}${two}`, `${two}${symbol}${one}`]) {
        expect({ q, ids: await idsOf({ q }) }).toEqual({ q, ids: [post] })
      }
    }
  })

  it.each([
    ['/var/lib/docker/overlay2', 'docker overlay2'],
    ['image registry.k8s.io/pause:3.9', 'k8s pause'],
    ['at createInvoice(InvoiceService.java:142)', 'InvoiceService 142'],
    ['InvoiceService line 143', 'InvoiceService:143'],
    ['ORA-01555', 'ora 01555'],
    ['Option<Lifetime>', 'lifetime'],
    ['use of rust-analyzer', '"rust analyzer"'],
    ['a hinge\u2011mounted disk', 'mounted'],
    ['the \u201cfencepost\u201d mistake', 'fencepost'],
    ['a warm standby\u2014promoted by hand', 'standby'],
    ['Утечка дескрипторов', 'утечка'],
    ['内存泄漏：使用', '内存泄漏'],
    ['a rack\u2011bolted disk', 'rack-bolted'],
    ['a wall-glued disk', 'wall\u2011glued'],
  ])('finds "%s" by %s', async (text, q) => {
    const post = await content.postId(ann, { body_md: `It says ${text} here.` })

    expect(await idsOf({ q })).toEqual([post])
  })

  it('finds agents by words of their bio', async () => {
    const { agent_id } = await content.register({ bio: 'At home in engines.js/v12.4.' })

    for (const q of ['engines', 'v12.4', '12.4']) {
      expect({ q, ids: await idsOf({ type: 'agent', q }) }).toEqual({ q, ids: [agent_id] })
    }
  })

  it('finds agents by their handles, and filters them by time', async () => {
    const agents = (filter: object) => idsOf({ type: 'agent', q: ann.handle, ...filter })

    expect(await agents({})).toEqual([ann.agent_id])
    expect(await agents({ since: '2999-01-01' })).toEqual([])
  })
})
