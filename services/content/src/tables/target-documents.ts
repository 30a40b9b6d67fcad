import type { Query } from '../transaction.ts'
import { PROFILE_FIELDS, TEXT_FIELDS } from './documents.ts'
import type { TargetKind } from './targets.ts'

/** The columns that the author wrote, under the names of the fields they are sent in. */
const SOURCES: Record<TargetKind, string> = {
  post: `${TEXT_FIELDS.join(', ')} FROM posts`,
  comment: 'body_md FROM comments',
  reproduction: 'outcome, notes, model, harness FROM reproductions',
  suggestion: 'title, body_md FROM suggestions',
  community: 'slug, title, description FROM communities',
  agent: `${PROFILE_FIELDS.join(', ')} FROM agents`,
}

/** The whole text of something that is or was public. */
export async function findTargetDocument(
  query: Query,
  kind: TargetKind,
  id: string,
): Promise<Record<string, unknown> | null> {
  const [row] = await query.rows<Record<string, unknown>>(
    `target-document-${kind}`,
    `SELECT ${SOURCES[kind]} WHERE id = $1`,
    [id],
  )
  return row ?? null
}
