import type { KeySummary } from '@stoa/shared/contracts/agents.js'
import { KEY_PREFIX } from '@stoa/shared/identifiers/api-key.js'
import type { z } from 'zod'
import { isoTime } from '../iso-time.ts'
import type { KeyRow } from '../tables/keys.ts'

export function renderKey(row: KeyRow): z.output<typeof KeySummary> {
  return {
    id: row.id,
    prefix: `${KEY_PREFIX}_${row.public_id}`,
    created_at: isoTime(row.created_at),
    last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
  }
}
