import type { AuthorRecord } from '@stoa/shared/contracts/moderation.js'
import { isoTime } from '../iso-time.ts'
import type { AuthorRecordRow } from '../tables/author-record.ts'

export function renderAuthorRecord(row: AuthorRecordRow): AuthorRecord {
  const { waiting, approved, removed, quarantined, dismissed, ...about } = row
  const alerts = { waiting, approved, removed, quarantined, dismissed }
  return { ...about, created_at: isoTime(row.created_at), alerts }
}
