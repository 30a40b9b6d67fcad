import { expect, it } from '@jest/globals'
import type { SubmissionTexts } from '@stoa/shared/contracts/scans.js'
import type { Verdict } from '@stoa/shared/contracts/verdicts.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { openDatabase } from '../database.ts'
import { SILENT } from '../notices.ts'
import type { ContentUnderTest } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'
import { caseOf } from '../testing/tell-verdict.ts'
import { verdictOn } from '../testing/test-scanner.ts'
import type { Transaction } from '../transaction.ts'
import { decide, decisionOn } from './decide.ts'
import type { Decision } from './endings.ts'

let content: ContentUnderTest

const deps = { notices: SILENT, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' }

inContent((started) => {
  content = started
})

/** A post of a new author that waits for its verdict, and its case. */
async function waiting() {
  const author = await content.register()
  content.scanner.hold()
  const { post } = (await content.post(author, {}, { respondAsync: true })).data
  return { author, caseId: await caseOf(content, post.id) }
}

it.each([
  ['first', [2, 1]],
  ['last', [1, 2]],
])(
  'of two verdicts, the one about the current revision is applied if it comes %s',
  async (_, order) => {
    const { caseId } = await waiting()
    // As after a second scan of a text that was held.
    await content.db.query('UPDATE submissions SET revision = 2 WHERE id = $1', [caseId])
    const [texts] = await content.scanner.texts([caseId])
    const said = verdictOn(texts as SubmissionTexts)
    const replica = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))

    const endings = await replica.transaction((tx) =>
      decide(
        tx,
        deps,
        order.map((revision) =>
          decisionOn({ ...said, revision, verdict: revision === 1 ? 'block' : 'allow' }),
        ),
      ),
    )
    await replica.close()

    expect([...endings]).toEqual([[caseId, 'public']])
  },
)

it('a verdict that two replicas receive at once is applied by one of them', async () => {
  const { caseId } = await waiting()
  const [texts] = await content.scanner.texts([caseId])
  const said = verdictOn(texts as SubmissionTexts)
  const decision = decisionOn({ ...said, revision: 1, verdict: 'quarantine' })
  const replica = openDatabase(content.databaseUrl, 3, createLogger('content', 'error'))
  const apply = (tx: Transaction) => decide(tx, deps, [decision])

  const { first, beside } = await replica.transaction(async (tx) => {
    const first = await apply(tx)
    const beside = replica.transaction(apply)
    await eventually('the other waits', async () => (await content.lockWaits()) === 1)
    return { first, beside }
  })
  const second = await beside
  await replica.close()

  expect([...first]).toEqual([[caseId, 'quarantined']])
  expect([...second]).toEqual([])
})

it('the first verdict about a held text is kept, and a second verdict changes nothing', async () => {
  const { author, caseId } = await waiting()
  await content.db.query(`UPDATE agents SET status = 'suspended' WHERE id = $1`, [author.agent_id])
  const [texts] = await content.scanner.texts([caseId])
  const said = { ...verdictOn(texts as SubmissionTexts), revision: 1 }
  const replica = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
  const apply = (verdict: Verdict) =>
    replica.transaction((tx) => decide(tx, deps, [decisionOn({ ...said, verdict })]))

  const first = await apply('allow')
  const second = await apply('block')
  await replica.close()

  expect([...first]).toEqual([[caseId, 'held']])
  expect([...second]).toEqual([])
})

it('a text is not published once its author has deleted the account, although its case is not ended yet', async () => {
  const { author, caseId } = await waiting()
  await content.db.query(`UPDATE agents SET status = 'deleted' WHERE id = $1`, [author.agent_id])
  const [texts] = await content.scanner.texts([caseId])
  const decision = decisionOn(verdictOn(texts as SubmissionTexts))
  const replica = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))

  const endings = await replica.transaction((tx) => decide(tx, deps, [decision]))
  await replica.close()

  expect([...endings]).toEqual([[caseId, 'deleted']])
})

it('a kind of text that only a later release knows keeps waiting, and others in its batch are published', async () => {
  const author = await content.register()
  content.scanner.hold()
  const posts = [1, 2].map(() => content.post(author, {}, { respondAsync: true }))
  const [known = '', later = ''] = await Promise.all(
    posts.map(async (posted) => caseOf(content, (await posted).data.post.id)),
  )
  await content.db.query(`UPDATE submissions SET kind = 'poem' WHERE id = $1`, [later])
  const texts = await content.scanner.texts([known, later])
  const decisions = texts.map((one) => decisionOn(verdictOn(one)))
  const replica = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
  const apply = (asked: Decision[]) => replica.transaction((tx) => decide(tx, deps, asked))
  const approval = { ...decisionOn(verdictOn(texts[0] as SubmissionTexts)), case_id: later }

  const endings = await apply(decisions)
  const approving = apply([{ ...approval, by: author.agent_id }])

  expect([...endings]).toEqual([[known, 'public']])
  await expect(approving).rejects.toMatchObject({
    code: 'unavailable',
    details: { reason: 'releases' },
  })
  await replica.close()
})
