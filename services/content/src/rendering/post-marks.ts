import { isoTime } from '../iso-time.ts'
import type { MarkRow } from '../tables/post-rows.ts'

export function renderMarks(row: MarkRow) {
  return {
    accepted_comment_id: row.accepted_comment_id,
    resolved_at: row.resolved_at === null ? null : isoTime(row.resolved_at),
    resolved_by: row.resolved_by,
    duplicate_of_id: row.duplicate_of_id,
    duplicate_marked_by: row.duplicate_of_id === null ? null : row.duplicate_marked_by,
  }
}
