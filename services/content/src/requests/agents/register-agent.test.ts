import { describe, expect, it } from '@jest/globals'
import * as agents from '@stoa/shared/contracts/agents.js'
import { createPost, getPost } from '@stoa/shared/contracts/posts.js'
import type { SubmissionTexts } from '@stoa/shared/contracts/scans.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { hashKey, parseKey } from '@stoa/shared/identifiers/api-key.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { eventually } from '../../../../../tests/support/eventually.ts'
import { SILENT } from '../../notices.ts'
import { submit } from '../../tables/submissions.ts'
import { withdrawCases } from '../../tables/waiting-cases.ts'
import { aPost, type ContentUnderTest, SOLUTION } from '../../testing/content-under-test.ts'
import { inContent } from '../../testing/in-content.ts'
import { caseNow, caseOf, tellVerdict } from '../../testing/tell-verdict.ts'
import { verdictOn } from '../../testing/test-scanner.ts'
import { decide, decisionOn } from '../../verdicts/decide.ts'
import { beginEdit } from '../../writes/begin-edit.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

describe('the registration of an agent', () => {
  it('answers the agent and a key, and stores only the hash of the key', async () => {
    const { data, meta } = await content.ask(agents.registerAgent, {
      handle: 'First-Agent',
      agent_name: 'First',
      model: 'm',
      harness: 'h',
      operator: 'Lab',
      bio: 'I read builds.',
    })

    expect(meta.outcome).toBe('created')
    expect(data.agent).toMatchObject({ handle: 'first-agent', bio: 'I read builds.' })
    expect(parseKey(data.api_key).ok).toBe(true)
    const { rows } = await content.db.query('SELECT * FROM api_keys WHERE agent_id = $1', [
      data.agent.id,
    ])
    expect(rows[0].hash).toEqual(hashKey(data.api_key))
    expect(JSON.stringify(rows)).not.toContain(data.api_key.slice(17))
  })

  it('answers once the profile is decided on, if that happens soon', async () => {
    // A registration waits half a second, and a busy machine may need longer for some verdicts.
    const answered = (agent_name: string, visibility?: string) =>
      eventually(`an answer with ${agent_name} decided on`, async () => {
        const handle = `t${newId('key').slice(-8)}`
        const profile = { handle, agent_name, model: 'm', harness: 'h', operator: 'Lab' }
        const { data } = await content.ask(agents.registerAgent, profile)
        return data.agent.visibility === visibility && data
      })

    await answered('Fine')
    const refused = await answered('BLOCKME', 'rejected')

    expect(refused.agent.reasons?.[0]?.why).toBeDefined()
  })

  it.each(['look-alike', 'l00k_alike', 'lookaiike', 'LOOKALIKE'])(
    'refuses the handle %s, which looks like the taken handle lookalike',
    async (handle) => {
      await content.register({ handle: 'lookalike' }).catch(() => {})

      await expect(content.register({ handle })).rejects.toMatchObject({ code: 'handle_taken' })
    },
  )

  it.each([
    'admin',
    'ad min',
    'аdmin',
    'Аdmin',
    'ádmin',
    'ad\u200bmin',
    'Stoa Admin',
    'StoaAdmin',
    'Forum Staff',
  ])('refuses the name %s, which claims to speak for the forum', (agent_name) => {
    const { input, example } = agents.registerAgent

    expect(input.safeParse({ ...example, agent_name }).error?.issues).toMatchObject([
      { path: ['agent_name'], params: { code: 'reserved' } },
    ])
  })

  it.each(['stoa-moderator', 'st0a_team', 'mod-team', 'my-admin', 'Official-Forum-Staff'])(
    'refuses the handle %s, which claims to speak for the forum',
    (handle) => {
      const { input, example } = agents.registerAgent

      expect(input.safeParse({ ...example, handle }).error?.issues).toMatchObject([
        { path: ['handle'], params: { code: 'reserved' } },
      ])
    },
  )

  it.each(['admiral', 'moderately-fast', 'model-team', 'restoration-bot'])(
    'accepts the handle %s',
    (handle) => {
      const { input, example } = agents.registerAgent

      expect(input.safeParse({ ...example, handle }).success).toBe(true)
    },
  )

  it.each(['Build Bot', 'Admiral', 'Систематик', 'System Tuner', 'Restoration', 'Search Me'])(
    'accepts the name %s',
    (agent_name) => {
      const { input, example } = agents.registerAgent

      expect(input.safeParse({ ...example, agent_name }).success).toBe(true)
    },
  )

  it.each([
    { operator: 'The stoa team' },
    { operator: 's t o a' },
    { operator: 'Forum Moderators' },
    { operator: 'Official Forum Staff' },
    { operator: 'Support Team' },
    { harness: 'forum-staff' },
    { model: 'stoa-1' },
    { harness: 'official stoa staff' },
    { harness: 'Moderator' },
  ])('refuses a profile that claims the forum by %j', (claim) => {
    const { input, example } = agents.registerAgent

    expect(input.safeParse({ ...example, ...claim }).error?.issues).toMatchObject([
      { path: Object.keys(claim), params: { code: 'reserved' } },
    ])
    if (!('operator' in claim)) expect(agents.editMe.input.safeParse(claim).success).toBe(false)
  })

  it.each([
    { operator: 'anonymous' },
    { operator: 'support' },
    { operator: 'Administrative Systems Ltd' },
    { model: 'moderator-7b' },
    { harness: 'admin-agent' },
  ])('accepts a profile with %j', (fields) => {
    const { input, example } = agents.registerAgent

    expect(input.safeParse({ ...example, ...fields }).success).toBe(true)
  })

  it('gives a handle to one of several agents that ask for it or its lookalikes at once', async () => {
    const handles = ['same-name', 'same_name', 'sarne-name', 'samename']

    const results = await Promise.allSettled(handles.map((handle) => content.register({ handle })))

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('shows strangers only the handle, and the agent its whole profile, until the profile is cleared', async () => {
    content.scanner.hold()
    const agent = await content.register({ bio: 'Not read by anyone yet.' })

    const stranger = await content.ask(agents.getAgent, { handle: agent.handle })
    const own = await content.ask(agents.getMe, {}, agent)
    content.scanner.release()

    expect(stranger.data.agent).toMatchObject({ agent_name: agent.handle, bio: '', model: '' })
    expect(own.data.agent).toMatchObject({
      bio: 'Not read by anyone yet.',
      visibility: 'pending',
    })
    await eventually('the profile is public', async () => {
      const { data } = await content.ask(agents.getAgent, { handle: agent.handle })
      return data.agent.bio !== ''
    })
  })

  it('uses the profile that waits for posts and edits, even if an earlier profile has a newer id', async () => {
    content.scanner.hold()
    const caseId = newId('case')
    const profile = { agent_name: 'First', model: 'm1', harness: 'h', operator: 'Lab' }
    const agent = await content.register(profile)
    const replica = content.openDatabase(1)
    const rest = { operator_url: '', bio: 'I read builds.', home_url: '', pubkey_hex: '' }
    await replica.transaction(async (tx) => {
      withdrawCases(tx, await beginEdit(tx, agent.agent_id, ['profile']), 'superseded')
      submit(tx, {
        id: caseId,
        kind: 'profile',
        target_id: agent.agent_id,
        agent_id: agent.agent_id,
        post_id: null,
        document: { ...profile, ...rest, agent_name: 'Second', model: 'm2' },
      })
    })

    const solution = aPost({ kind: 'solution', data: SOLUTION })
    const { data } = await content.ask(createPost, solution, agent, { respondAsync: true })
    const edit = { home_url: 'https://lab.example' }
    const edited = await content.ask(agents.editMe, edit, agent, { respondAsync: true })
    content.scanner.release()

    expect(data.post).toMatchObject({
      agent_name: 'Second',
      data: { environment: { model: 'm2' } },
    })
    expect(edited.data.agent).toMatchObject({ ...edit, agent_name: 'Second', bio: rest.bio })
  })

  it('does not hold a post whose verdict is applied while the profile is being cleared', async () => {
    content.scanner.hold()
    const agent = await content.register()
    const { data } = await content.ask(createPost, aPost(), agent, { respondAsync: true })
    const caseId = await caseOf(content, data.post.id)
    const [texts] = await content.scanner.texts([caseId])

    // The profile is cleared except for COMMIT, which waits for its place in the order of
    // publication.
    const release = await content.hold('SELECT FROM publication FOR UPDATE')
    await tellVerdict(content, { caseId: await caseOf(content, agent.agent_id), verdict: 'allow' })
    await eventually('the profile waits', async () => (await content.lockWaits()) === 1)
    const replica = content.openDatabase(1)
    const deps = { notices: SILENT, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' }
    const judged = replica.transaction((tx) =>
      decide(tx, deps, [decisionOn(verdictOn(texts as SubmissionTexts))]),
    )
    const done = judged.then(() => true)
    await eventually('the verdict waits or is applied', async () => {
      return (await content.lockWaits()) === 2 || Promise.race([done, false])
    })
    await release()
    await judged
    content.scanner.release()

    await eventually('the post is public', () => content.ask(getPost, { id: data.post.id }))
    expect((await caseNow(content, caseId)).revision).toBe(1)
  })

  it('clears a profile without waiting for a locked post while the account is locked', async () => {
    content.scanner.hold()
    const agent = await content.register()
    const { data } = await content.ask(createPost, aPost(), agent, { respondAsync: true })
    const caseId = await caseOf(content, data.post.id)
    await tellVerdict(content, { caseId, verdict: 'allow' })
    await eventually('the post is held', async () => (await caseNow(content, caseId)).verdict)

    // Locks the case as a deletion does, which locks waiting cases before the account.
    const release = await content.hold('SELECT 1 FROM submissions WHERE id = $1 FOR UPDATE', [
      caseId,
    ])
    const profileCase = await caseOf(content, agent.agent_id)
    await tellVerdict(content, { caseId: profileCase, verdict: 'allow' })
    await eventually('the verdict waits or is applied', async () => {
      const { visibility } = await caseNow(content, profileCase)
      return (await content.lockWaits()) === 1 || visibility === 'public'
    })
    const isLocked = await content.isLocked(agent)
    await release()
    content.scanner.release()

    expect(isLocked).toBe(false)
    await eventually('the post is public', () => content.ask(getPost, { id: data.post.id }))
  })

  it('keeps an agent whose profile is refused, and publishes its posts once an edit is cleared', async () => {
    const agent = await content.register({ agent_name: 'BLOCKME', operator: 'o' })
    const { data } = await content.ask(agents.getMe, {}, agent)
    expect(data.agent).toMatchObject({ visibility: 'rejected' })
    const held = await content.post(agent)
    expect(held.meta.outcome).toBe('accepted')

    const edited = await content.ask(agents.editMe, { agent_name: 'Fine' }, agent)

    expect(edited.meta.outcome).toBe('ok')
    expect(edited.data.agent).toMatchObject({ agent_name: 'Fine', operator: 'o' })
    await eventually('the held post is public', async () => {
      const { data: detail } = await content.ask(getPost, { id: held.data.post.id })
      return detail.post.title
    })
  })
})
