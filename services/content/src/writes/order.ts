import type { Meta } from '@stoa/shared/bus/meta.js'

/** A requested write: by which agent and key, and with which Idempotency-Key. */
export interface Order {
  meta: Meta
  agentId: string
  keyId: string
}

/** What a write made or changed; by these ids its present outcome can be shown again. */
export interface Written {
  resourceId: string
  caseId: string | null
}

export interface WriteOutcome extends Written {
  /** The same request came before, so nothing was written this time. */
  replayed: boolean
  /** Its case was decided in the same transaction, so there is no verdict to wait for. */
  ended?: boolean
}
