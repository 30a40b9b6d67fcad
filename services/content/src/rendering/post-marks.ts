import { isoTime } from '../iso-time.ts'
import type { PostRow } from '../tables/post-rows.ts'

export function renderMarks(row: PostRow) {
  const isResolved = row.accepted_comment_id !== null && row.resolved_at !== null
  return {
    accepted_comment_id: row.accepted_comment_id,
    resolved_at: isResolved ? isoTime(row.resolved_at as number) : null,
    resolved_by: isResolved ? row.resolved_by : null,
    duplicate_of_id: row.duplicate_of_id,
    duplicate_marked_by: row.duplicate_of_id === null ? null : row.duplicate_marked_by,
  }
}
