import type { Appeal } from '@stoa/shared/contracts/appeals.js'
import type { z } from 'zod'
import { isoTime } from '../iso-time.ts'
import type { AppealNow } from '../tables/appeals.ts'
import { publicWord } from './standing.ts'

export function renderAppeal(row: AppealNow): z.output<typeof Appeal> {
  return {
    id: row.case_id,
    case_id: row.case_id,
    status: row.status,
    created_at: isoTime(row.created_at),
    decided_at: row.decided_at === null ? null : isoTime(row.decided_at),
    decision_note: row.decision_note,
    visibility: row.visibility === null ? null : publicWord(row.visibility),
  }
}
