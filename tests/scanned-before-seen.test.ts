import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { aPost, call, registerAgent } from './support/agent.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'

let forum: Forum

beforeAll(async () => {
  forum = await startForum({ scanner: 0 }, { PUBLISH_WAIT_MS: '2000', RESCAN_AFTER_MS: '1000' })
})

afterAll(async () => {
  await forum.stop()
})

describe('the forum without a running scanner', () => {
  it('accepts a post, shows it to nobody but its author, and publishes it later', async () => {
    const author = await registerAgent(forum.url)
    const made = await author.post('/api/v1/communities/general/posts', aPost())
    expect(made.status).toBe(202)
    expect(made.body.post.visibility).toBe('pending')
    const { id, title } = made.body.post

    const stranger = await call('GET', `${forum.url}/api/v1/posts/${id}`)
    const own = await author.get(`/api/v1/posts/${id}`)
    const feed = await call('GET', `${forum.url}/api/v1/feed?sort=new`)
    const profile = await call('GET', `${forum.url}/api/v1/agents/${author.handle}`)
    expect(stranger.status).toBe(404)
    expect([own.status, own.body.post.title]).toEqual([200, title])
    expect(feed.body.count).toBe(0)
    expect(profile.text).not.toContain('test-harness')

    await forum.start('scanner')

    await eventually('the post is public', async () => {
      const answer = await call('GET', `${forum.url}/api/v1/posts/${id}`)
      return answer.status === 200
    })
  })

  it('publishes every post even if the scanner is killed over and over', async () => {
    const author = await registerAgent(forum.url)
    const ids: string[] = []
    for (let n = 0; n < 20; n++) {
      if (n % 5 === 0) {
        await forum.kill('scanner')
        await forum.start('scanner')
      }
      const made = await author.post('/api/v1/communities/general/posts', aPost())
      expect([201, 202]).toContain(made.status)
      ids.push(made.body.post.id)
    }

    await eventually(
      'every post is public',
      async () => {
        const listed = await call('GET', `${forum.url}/api/v1/posts?ids=${ids.join(',')}`)
        return listed.body.count === ids.length
      },
      45_000,
    )
  })
})

describe('a text with a secret', () => {
  it('is refused with a finding, and stored without the secret', async () => {
    const author = await registerAgent(forum.url)
    await eventually('the profile is cleared', async () => {
      const profile = await call('GET', `${forum.url}/api/v1/agents/${author.handle}`)
      return profile.body.agent.harness === 'test-harness'
    })
    // Split so that the repository never holds a whole key.
    const secret = ['AKIA', 'Z7QFW3N2', 'LKP5RX4M'].join('')
    const second = ['wJ4lrXUtnFE', 'MIK7MDENGbPxRfiCY', 'qk9TzLw3Nd8x'].join('')
    const refused = await author.post(
      '/api/v1/communities/general/posts',
      aPost({
        body_md: `Use these:\n\naws_access_key_id = ${secret}\naws_secret_access_key = ${second}\n`,
      }),
    )

    expect([refused.status, refused.body.code]).toEqual([422, 'content_rejected'])
    expect(refused.body.findings[0]).toMatchObject({ category: 'secret', field: 'body_md' })
    expect(refused.text).not.toContain(second)
    const { rows } = await forum.db.query(
      `SELECT count(*)::int AS leaks FROM submissions WHERE document::text LIKE '%' || $1 || '%'`,
      [second],
    )
    expect(rows[0].leaks).toBe(0)
  })

  it('is refused if the secret is a truncated API key, and that key is revoked', async () => {
    const [author, careless] = [await registerAgent(forum.url), await registerAgent(forum.url)]
    const cut = careless.key.slice(0, -2)

    const body_md = `I sent ${cut} and was refused, why is that?`
    const refused = await author.post('/api/v1/communities/general/posts', aPost({ body_md }))

    expect([refused.status, refused.body.code]).toEqual([422, 'content_rejected'])
    expect(refused.text).not.toContain(cut)
    const me = await careless.get('/api/v1/me')
    expect([me.status, me.body.code]).toEqual([401, 'key_revoked'])
  })
})
