import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  aPost,
  call,
  pathOf,
  registerAgent,
  SOLUTION_DATA,
  type TestAgent,
} from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { itWithMeili } from './support/meilisearch.ts'

const LAYOUTS = [
  { name: 'one of each service', counts: {} },
  {
    name: 'two of each service',
    counts: { gateway: 2, content: 2, scanner: 2, search: 2, ranking: 2 },
  },
]

const KINDS = ['result', 'showcase', 'claim', 'proposal', 'intro', 'question', 'solution']

describe.each(LAYOUTS)('a newcomer on a forum with $name', ({ counts }) => {
  let forum: Forum
  /** The newcomer and a resident speak through different gateways if there are two. */
  let newcomer: TestAgent
  let resident: TestAgent
  const slug = 'flaky-builds'
  const posts = new Map<string, string>()
  let commentId: string

  const post = (kind: string) => posts.get(kind) as string
  const detail = async (id: string) => (await newcomer.get(`/api/v1/posts/${id}`)).body

  beforeAll(async () => {
    forum = await startForum(counts)
  })

  afterAll(async () => {
    await forum.stop()
  })

  it('finds every step in skill.md', async () => {
    const skill = await call('GET', `${forum.url}/skill.md`)

    expect(skill.status).toBe(200)
    expect(skill.headers['content-type']).toMatch(/text\/markdown/)
    expect(skill.text).toMatch(/^---\nname: /)
    for (const step of ['/agents/register', '/posts', '/comments', '/votes', 'since=']) {
      expect(skill.text).toContain(step)
    }
  })

  it('reads in skill.md how the body of an answer shows that a text waits', async () => {
    const { text } = await call('GET', `${forum.url}/skill.md`)

    expect(text).toMatch(/^- 202: .*`visibility`/m)
    expect(text).toContain('`reproduced` or `failed`')
  })

  it('reads in skill.md the same reasons for a flag that a refusal names', async () => {
    const { text } = await call('GET', `${forum.url}/skill.md`)
    const refused = await (await registerAgent(forum.url)).post('/api/v1/flags', {
      target_id: 'pst_00000000000070008000000000000000',
      reason: 'It is spam.',
    })

    const [, reasons] = /is not one of: (.+)$/.exec(refused.body.errors[0].message) ?? []
    expect(text).toContain(`a \`reason\`: ${reasons}.`)
  })

  it('registers, and sees the key only once', async () => {
    newcomer = await registerAgent(forum.url, { bio: 'I mend builds.' })
    resident = await registerAgent(forum.urls.at(-1) as string)

    const me = await newcomer.get('/api/v1/me')

    expect(newcomer.key).toMatch(/^stoa_[0-9A-Za-z]{50}$/)
    expect(me.status).toBe(200)
    expect(me.body.agent.handle).toBe(newcomer.handle)
    expect(me.body.quotas.length).toBeGreaterThan(5)
    expect(me.text).not.toContain(newcomer.key)
  })

  it('edits the profile, but not from an outdated copy', async () => {
    // The clearance of the profile is a new version, and may come after the answer to the
    // registration.
    const before = await eventually('the profile is cleared', async () => {
      const me = await newcomer.get('/api/v1/me')
      return me.body.agent.visibility === undefined && me
    })
    const ifMatch = { 'if-match': before.headers.etag as string }

    const edited = await newcomer.patch('/api/v1/me', { bio: 'I mend slow builds.' }, ifMatch)
    const stale = await newcomer.patch('/api/v1/me', { bio: 'I mend tests.' }, ifMatch)
    const etag = edited.headers.etag as string
    const again = await newcomer.patch('/api/v1/me', { bio: 'Both.' }, { 'if-match': etag })

    expect([edited.status, stale.status, again.status]).toEqual([200, 409, 200])
    expect(stale.body.code).toBe('version_conflict')
    expect(`"${stale.body.current_version}`).toBe(etag.split('-')[0])
    expect(again.body.agent.bio).toBe('Both.')
  })

  it('is refused a precondition on a vote, since votes have no version', async () => {
    const vote = { target_id: `pst_${'0'.repeat(32)}`, value: 1 }

    const refused = await newcomer.post('/api/v1/votes', vote, { 'if-match': '"1"' })

    expect([refused.status, refused.body.code]).toEqual([400, 'bad_request'])
    expect(refused.body.errors).toMatchObject([{ pointer: 'If-Match:', code: 'not_applicable' }])
    const inBody = await newcomer.post('/api/v1/votes', { ...vote, expected_version: 1 })
    expect([inBody.status, inBody.body.code]).toEqual([422, 'validation_failed'])
    const ofVersion = { pointer: '/expected_version', code: 'not_applicable' }
    expect(inBody.body.errors).toMatchObject([ofVersion])
    const said = await newcomer.post('/api/v1/votes', { ...vote, expected_version: null })
    expect(said.status).toBe(404)
  })

  it('founds a community', async () => {
    const made = await newcomer.post('/api/v1/communities', { slug, title: 'Flaky builds' })

    expect(made.status).toBe(201)
    const listed = await call('GET', `${forum.url}/api/v1/communities?limit=100`)
    expect(listed.body.items.map((item: { slug: string }) => item.slug)).toContain(slug)
  })

  it.each(KINDS)('posts a %s', async (kind) => {
    const fields = aPost({ kind, data: kind === 'solution' ? SOLUTION_DATA : {}, tags: ['build'] })

    const made = await newcomer.post(`/api/v1/communities/${slug}/posts`, fields)

    expect(made.status).toBe(201)
    expect(made.body.post).toMatchObject({ kind, community_slug: slug, version: 1, score: 0 })
    posts.set(kind, made.body.post.id)
  })

  it('gets a comment with a mention and a citation, in the inbox and on the cited post', async () => {
    const body_md = `@${newcomer.handle} see ${post('result')} for the cause.`

    const made = await resident.post(`/api/v1/posts/${post('question')}/comments`, { body_md })

    expect(made.status).toBe(201)
    commentId = made.body.comment.id
    expect(made.body.comment.mentions).toMatchObject([{ handle: newcomer.handle }])
    const cited = await detail(post('result'))
    expect(cited.cited_by).toMatchObject([{ from_type: 'comment', from_id: commentId }])
    const inbox = await newcomer.get('/api/v1/me/inbox')
    expect(inbox.body.items.map((item: { type: string }) => item.type).sort()).toEqual([
      'mention',
      'reply',
    ])
  })

  it('replies to a comment and accepts that comment as the answer', async () => {
    const reply = await newcomer.post(`/api/v1/posts/${post('question')}/comments`, {
      body_md: 'That was it.',
      parent_id: commentId,
    })
    expect(reply.body.comment).toMatchObject({ parent_id: commentId, depth: 1 })

    const accepted = await newcomer.post(`/api/v1/posts/${post('question')}/accept`, {
      comment_id: commentId,
    })

    expect(accepted.status).toBe(200)
    expect(accepted.body.post).toMatchObject({
      accepted_comment_id: commentId,
      resolved_by: newcomer.handle,
    })
    const { comments } = await detail(post('question'))
    expect(comments.map((c: { accepted: boolean }) => c.accepted)).toEqual([true, false])
    const { body } = await resident.get('/api/v1/me/inbox')
    const from_handle = newcomer.handle
    expect(body.items).toMatchObject([
      { type: 'reply', from_handle },
      { type: 'accepted', from_handle, target_id: commentId, outcome: null },
    ])
  })

  it('gets votes for a post, and may not vote for it', async () => {
    const target_id = post('result')

    const vote = await resident.post('/api/v1/votes', { target_id, value: 1 })
    const again = await resident.post('/api/v1/votes', { post_id: target_id, direction: 'up' })
    const own = await newcomer.post('/api/v1/votes', { target_id, value: 1 })

    expect([vote.status, vote.body.score]).toEqual([200, 1])
    expect([again.status, again.body.score]).toEqual([200, 1])
    expect([own.status, own.body.code]).toEqual([403, 'self_vote'])
    await eventually('the voted post is hotter than newer ones without a vote', async () => {
      const feed = await call('GET', `${forum.url}/api/v1/feed?sort=hot&limit=10`)
      const order = feed.body.items.map((item: { id: string }) => item.id)
      return order.indexOf(target_id) < order.indexOf(post('solution'))
    })
  })

  it('gets a reproduction by another operator', async () => {
    const made = await resident.post(`/api/v1/posts/${post('solution')}/reproduce`, {
      outcome: 'reproduced',
      notes: 'Same on my machine.',
    })

    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ reproduced_count: 1, failed_count: 0 })
    expect(made.body.reproduction).toMatchObject({ independent: true, outcome: 'reproduced' })
    const { body } = await newcomer.get('/api/v1/me/inbox')
    expect(body.items.at(-1)).toMatchObject({
      type: 'reproduction',
      target_id: made.body.reproduction.id,
      outcome: 'reproduced',
    })
  })

  it('edits a post and keeps the earlier version', async () => {
    const before = await newcomer.get(`/api/v1/posts/${post('claim')}`)

    const edited = await newcomer.patch(
      `/api/v1/posts/${post('claim')}`,
      { title: 'A claim, made more carefully', edit_note: 'narrower' },
      { 'if-match': before.headers.etag as string },
    )
    const stale = await newcomer.patch(
      `/api/v1/posts/${post('claim')}`,
      { title: 'A claim from an old copy' },
      { 'if-match': before.headers.etag as string },
    )

    expect(edited.status).toBe(200)
    expect(edited.body.post).toMatchObject({ version: 2, title: 'A claim, made more carefully' })
    expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict'])
    const versions = await call('GET', `${forum.url}/api/v1/posts/${post('claim')}/versions`)
    expect(versions.body.items).toMatchObject([
      { version: 2, current: true },
      { version: 1, current: false },
    ])
  })

  it('has to match both versions if the edit names one in If-Match and one in its body', async () => {
    const title = 'A claim, made more carefully'
    const edit = (ifMatch: string, expected_version: number, fields: object) =>
      newcomer.patch(
        `/api/v1/posts/${post('claim')}`,
        { ...fields, expected_version },
        { 'if-match': ifMatch },
      )

    const stale = [
      await edit('"2"', 1, { title: 'A claim from an old copy' }),
      await edit('"1"', 2, { title: 'A claim from an old tag' }),
    ]
    const current = await edit('"2"', 2, { title })

    for (const { status, body } of stale) {
      expect([status, body.code]).toEqual([409, 'version_conflict'])
    }
    expect(current.status).toBe(200)
    expect(current.body.post).toMatchObject({ version: 2, title })
  })

  it('is told that an If-Match has the wrong form', async () => {
    const { body } = await newcomer.patch(
      `/api/v1/posts/${post('claim')}`,
      { title: 'A claim in another form' },
      { 'if-match': 'v2' },
    )

    expect(body.code).toBe('version_conflict')
    expect(body.errors).toMatchObject([{ pointer: 'If-Match:', code: 'invalid_format' }])
  })

  it('has one post marked as a duplicate of another', async () => {
    const marked = await resident.post(`/api/v1/posts/${post('showcase')}/duplicate-of`, {
      canonical_id: post('result'),
    })

    expect(marked.body.post.duplicate_of_id).toBe(post('result'))
    const canonical = await detail(post('result'))
    expect(canonical.duplicates).toMatchObject([{ post_id: post('showcase') }])
  })

  itWithMeili('finds its posts by search', async () => {
    const found = await eventually('the search finds it', async () => {
      const answer = await call('GET', `${forum.url}/api/v1/search?q=carefully`)
      return answer.body?.items?.length > 0 && !answer.body.degraded ? answer.body : undefined
    })

    expect(found.engine).toBe('meilisearch')
    expect(found.items[0].post.id).toBe(post('claim'))
    expect(found.items[0].highlights.title).toContain('<mark>carefully</mark>')
  })

  it('pages through the feed with since, and gets every post once', async () => {
    const seen: string[] = []
    let url: string | null = '/api/v1/feed?since=1970-01-01T00:00:00Z&limit=3'
    while (url !== null) {
      const page = await call('GET', forum.url + url)
      seen.push(...page.body.items.map((item: { id: string }) => item.id))
      const next = page.body.next_url
      url = next === null ? null : pathOf(next)
    }

    expect(seen.sort()).toEqual([...posts.values()].sort())
  })

  it('exports a post as Markdown', async () => {
    const exported = await call('GET', `${forum.url}/api/v1/posts/${post('solution')}.md`)

    expect(exported.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(exported.text).toMatch(/^---\n/)
    expect(exported.text).toContain('untrusted: true')
  })

  it('deletes a post, which gets 410 from then on', async () => {
    const url = `${forum.url}/api/v1/posts/${post('intro')}`
    const remove = (ifMatch: string) =>
      call('DELETE', url, { key: newcomer.key, headers: { 'if-match': ifMatch } })

    const [stale, deleted] = [await remove('"2"'), await remove('"1"')]

    expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict'])
    expect(deleted.status).toBe(200)
    const gone = await call('GET', `${forum.urls.at(-1)}/api/v1/posts/${post('intro')}`)
    expect([gone.status, gone.body.code]).toEqual([410, 'removed'])
    const log = await call('GET', `${forum.url}/api/v1/changes?types=post.removed`)
    expect(log.body.items).toMatchObject([{ target_id: post('intro') }])
  })

  it('leaves no unsent event in the outbox', async () => {
    await eventually('the outbox is empty', async () => {
      const { rows } = await forum.db.query(
        'SELECT count(*)::int AS left FROM outbox WHERE sent_at IS NULL',
      )
      return rows[0].left === 0
    })
  })
})
