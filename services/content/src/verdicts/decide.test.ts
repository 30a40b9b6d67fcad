import { expect, it } from '@jest/globals'
import type { SubmissionTexts } from '@stoa/shared/contracts/scans.js'
import { HOT_DEFAULTS } from '@stoa/shared/hot-order/hot-score.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { openDatabase } from '../database.ts'
import { SILENT } from '../notices.ts'
import type { ContentUnderTest } from '../testing/content-under-test.ts'
import { inContent } from '../testing/in-content.ts'
import { caseOf } from '../testing/tell-verdict.ts'
import { verdictOn } from '../testing/test-scanner.ts'
import { decide, decisionOn } from './decide.ts'

let content: ContentUnderTest

inContent((started) => {
  content = started
})

it.each([
  ['first', [2, 1]],
  ['last', [1, 2]],
])('the verdict of the scan that is waited for is applied where it comes %s', async (_, order) => {
  const author = await content.register()
  content.scanner.hold()
  const { post } = (await content.post(author, {}, { respondAsync: true })).data
  const caseId = await caseOf(content, post.id)
  // As what was held is scanned again.
  await content.db.query('UPDATE submissions SET revision = 2 WHERE id = $1', [caseId])
  const [texts] = await content.scanner.texts([caseId])
  const said = verdictOn(texts as SubmissionTexts)
  const replica = openDatabase(content.databaseUrl, 1, createLogger('content', 'error'))
  const deps = { notices: SILENT, hot: HOT_DEFAULTS, baseUrl: 'http://forum.test' }

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
})
