import type { Meta } from '@stoa/shared/bus/meta.js'

/** A write as it is asked for: by whom, and with which Idempotency-Key. */
export interface Order {
  meta: Meta
  agentId: string
  keyId: string
}

/** What a write made or changed, by which its present outcome can be shown again. */
export interface Written {
  resourceId: string
  caseId: string | null
}

export interface WriteOutcome extends Written {
  /** The same request came before; nothing was written this time. */
  replayed: boolean
  /** Its case was decided as it was stored: there is nothing to wait for. */
  ended?: boolean
}
