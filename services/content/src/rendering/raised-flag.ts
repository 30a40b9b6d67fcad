import type { RaisedFlag } from '@stoa/shared/contracts/moderation.js'
import { isoTime } from '@stoa/shared/time.js'
import { quotedText, safeLine } from '../verdicts/excerpt.ts'

export interface FlagRow {
  id: string
  agent_handle: string
  operator: string
  reason: RaisedFlag['reason']
  note: string
  /** Milliseconds since 1970. */
  created_at: number
}

export function renderRaisedFlag(row: FlagRow): RaisedFlag {
  return {
    ...row,
    operator: safeLine(row.operator),
    note: quotedText(row.note),
    created_at: isoTime(row.created_at),
  }
}
