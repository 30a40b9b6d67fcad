import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { getSubmissions as contract, SubmissionTexts } from '@stoa/shared/contracts/scans.js'
import type { ContentDeps } from '../../deps.ts'
import type { Submission } from '../../tables/submissions.ts'
import { textsOf } from '../../verdicts/texts.ts'

/** Texts for the scanner, without cases that have been decided. */
export async function getSubmissions(
  deps: ContentDeps,
  input: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const rows = await deps.db.read((query) =>
    query.rows<Pick<Submission, 'id' | 'kind' | 'revision' | 'document'>>(
      'submission-texts',
      `SELECT id, kind, revision, document FROM submissions
       WHERE id = ANY($1) AND visibility = 'pending' AND verdict IS NULL AND document IS NOT NULL`,
      [input.case_ids],
    ),
  )
  const items = rows.map(
    ({ id, kind, revision, document }): SubmissionTexts => ({
      case_id: id,
      kind,
      revision,
      fields: textsOf(document as NonNullable<Submission['document']>),
    }),
  )
  return reply({ object: 'submissions', items })
}
