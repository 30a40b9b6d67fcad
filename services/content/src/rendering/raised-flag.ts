import type { RaisedFlag } from '@stoa/shared/contracts/moderation.js'
import { isoTime } from '../iso-time.ts'
import type { FlagRow } from '../tables/flags.ts'
import { quotedText, safeLine } from '../texts/excerpt.ts'

export function renderRaisedFlag({ upheld, dismissed, ...row }: FlagRow): RaisedFlag {
  return {
    ...row,
    others: { upheld, dismissed },
    operator: safeLine(row.operator),
    note: quotedText(row.note),
    created_at: isoTime(row.created_at),
  }
}
