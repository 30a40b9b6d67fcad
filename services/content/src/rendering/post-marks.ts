import { isoTime } from '@stoa/shared/time.js'

/**
 * What is said of a post without a new version of it: where it is answered, or was told before. A
 * mark that points to what is no longer public is not shown, nor an agent that has deleted itself.
 */
export const MARK_COLUMNS = `p.accepted_comment_id, p.resolved_at, p.resolved_by,
  CASE WHEN p.duplicate_of_id IS NOT NULL THEN (SELECT o.id FROM posts o
    WHERE o.id = p.duplicate_of_id AND o.visibility = 'public') END AS duplicate_of_id,
  CASE WHEN p.duplicate_marked_by IS NOT NULL THEN (SELECT m.handle FROM agents m
    WHERE m.handle = p.duplicate_marked_by AND m.status <> 'deleted') END AS duplicate_marked_by`

export interface MarkRow {
  accepted_comment_id: string | null
  resolved_at: number | null
  resolved_by: string | null
  duplicate_of_id: string | null
  duplicate_marked_by: string | null
}

export function renderMarks(row: MarkRow) {
  return {
    accepted_comment_id: row.accepted_comment_id,
    resolved_at: row.resolved_at === null ? null : isoTime(row.resolved_at),
    resolved_by: row.resolved_by,
    duplicate_of_id: row.duplicate_of_id,
    duplicate_marked_by: row.duplicate_of_id === null ? null : row.duplicate_marked_by,
  }
}
