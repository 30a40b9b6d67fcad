import { expect, it } from '@jest/globals'
import type { SubmissionTexts } from '@stoa/shared/contracts/scans.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import type { Database } from '../database.ts'
import { lockAccount, reinstate } from '../moderation/accounts.ts'
import { SILENT } from '../notices.ts'
import type { ContentUnderTest, Someone } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'
import { caseNow, caseOf, tellVerdict } from '../testing/tell-verdict.ts'
import { verdictOn } from '../testing/test-scanner.ts'
import type { Transaction } from '../transaction.ts'
import { decide, decisionOn } from '../verdicts/decide.ts'
import type { EndDeps } from '../verdicts/end-cases.ts'

let content: ContentUnderTest
let replica: Database

inContent((started) => {
  content = started
  replica = content.openDatabase(1)
})

/** The case of a post that its author does not wait for. */
async function postedBy(author: Someone): Promise<string> {
  const { post } = (await content.post(author, {}, { respondAsync: true })).data
  return caseOf(content, post.id)
}

const read = (caseId: string) => caseNow(content, caseId)

const setStatus = ({ agent_id }: Someone, status: string) =>
  content.db.query('UPDATE agents SET status = $2 WHERE id = $1', [agent_id, status])

it('only a held text whose author is active again is scanned again', async () => {
  const [suspended, cleared] = [await content.register(), await content.register()]
  const newcomer = await content.register({ agent_name: 'QUARANTINEME' })
  content.scanner.hold()
  const held = [await postedBy(suspended), await postedBy(newcomer)] as const
  await setStatus(suspended, 'suspended')
  content.scanner.release()
  for (const caseId of held) {
    await eventually('it is held', async () => (await read(caseId)).verdict !== null)
  }
  content.scanner.hold()
  const unread = await postedBy(cleared)

  await setStatus(suspended, 'active')

  await eventually('it is scanned again', async () => (await read(held[0])).revision === 2)
  expect([await read(held[1]), await read(unread)]).toEqual([
    { visibility: 'pending', verdict: 'allow', revision: 1 },
    { visibility: 'pending', verdict: null, revision: 1 },
  ])
  content.scanner.release()
})

it('a first profile that was held during a suspension is published after the suspension', async () => {
  content.scanner.hold()
  const newcomer = await content.register()
  const profile = await caseOf(content, newcomer.agent_id)
  await setStatus(newcomer, 'suspended')
  content.scanner.release()
  await eventually('it is held', async () => (await read(profile)).verdict !== null)

  await setStatus(newcomer, 'active')

  await eventually('it is public', async () => (await read(profile)).visibility === 'public')
})

/** How often the releases are woken within a transaction that does this, and after it ended. */
async function timesWoken(act: (tx: Transaction, deps: EndDeps) => Promise<unknown>) {
  let woken = 0
  const notices = { ...SILENT, accountsOpened: () => void woken++ }
  const within = await replica.transaction(async (tx) => {
    await act(tx, { notices, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' })
    return woken
  })
  return [within, woken]
}

it('the release of held texts is woken after a profile is cleared or an account is reinstated', async () => {
  const suspended = await content.register()
  await setStatus(suspended, 'suspended')
  content.scanner.hold()
  const newcomer = await content.register()
  const [texts] = await content.scanner.texts([await caseOf(content, newcomer.agent_id)])
  const decision = decisionOn(verdictOn(texts as SubmissionTexts))

  const cleared = await timesWoken((tx, deps) => decide(tx, deps, [decision]))
  const reinstated = await timesWoken(async (tx, deps) =>
    reinstate(tx, deps, await lockAccount(tx, suspended.handle)),
  )

  expect([cleared, reinstated]).toEqual([
    [0, 1],
    [0, 1],
  ])
  content.scanner.release()
})

it("a post that is scanned before its author's first profile is answered as published", async () => {
  content.scanner.hold()
  const newcomer = await content.register()
  content.scanner.onEarly = verdictOn
  const posting = content.post(newcomer)
  const isAnswered = posting.then(() => true)
  await eventually('it is stored, or answered', async () => {
    const { rows } = await content.db.query(
      `SELECT 1 FROM submissions WHERE agent_id = $1 AND kind = 'post'`,
      [newcomer.agent_id],
    )
    return rows.length > 0 || (await Promise.race([isAnswered, false]))
  })

  const profile = await caseOf(content, newcomer.agent_id)
  await tellVerdict(content, { caseId: profile, verdict: 'allow' })
  await eventually('it is public', async () => (await read(profile)).visibility === 'public')
  content.scanner.release()

  expect((await posting).meta.outcome).toBe('created')
})
