import type { Bus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import {
  type CaseVerdict,
  type SubmissionKind,
  type SubmissionTexts,
  scanSubmission,
} from '@stoa/shared/contracts/scans.js'
import { BREAKER, logTurns } from '@stoa/shared/process/breaker.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import type { Breaker } from '@stoa/shared/process/metrics.js'
import CircuitBreaker from 'opossum'
import type { Documents } from '../tables/documents.ts'
import { textsOf } from '../verdicts/texts.ts'
import { type Verdicts, waitMsOf } from './await-verdict.ts'

/** Scans of texts that are not stored yet. */
export interface EarlyScans {
  /** Undefined if no verdict comes in time. Never rejects. */
  ask(texts: SubmissionTexts, meta: Meta): Promise<CaseVerdict | undefined>
  breaker: Breaker
  close(): void
}

const CHOICES = {
  ...BREAKER,
  name: 'scanner',
  // Requests beyond this number would wait for each other, and are better asked for as a batch.
  // Their number says nothing about the scanners, so it does not open the breaker.
  capacity: 64,
  errorFilter: (error: unknown) => (error as { code?: unknown }).code === 'ESEMLOCKED',
  volumeThreshold: 5,
  rollingCountTimeout: 5_000,
}

/**
 * Asks scanners behind a circuit breaker, so that a write loses no time on scanners that are away
 * or hang. Waits at most `waitMs` milliseconds; 0 asks none.
 */
export function createEarlyScans(bus: Bus, waitMs: number, log: Logger): EarlyScans {
  const breaker = new CircuitBreaker<[SubmissionTexts, Meta], CaseVerdict>((texts, meta) => {
    const remainingMs = Math.min(meta.remainingMs, waitMs)
    return bus.request(scanSubmission, texts, { ...meta, remainingMs })
  }, CHOICES)
  logTurns(breaker, log, {
    open: 'early scans are suspended',
    closed: 'early scans are resumed',
  })
  return {
    ask: async (texts, meta) => {
      if (waitMs === 0) return undefined
      return breaker.fire(texts, meta).catch(() => undefined)
    },
    breaker,
    close: () => breaker.shutdown(),
  }
}

/**
 * Has a text scanned that is about to be stored, while it waits for its batch: see
 * docs/decisions/0039-a-verdict-before-the-text-is-stored.md. The stored document must have exactly
 * the texts of this one. Undefined if no verdict comes in time; then the scan is requested when the
 * text is stored. Never rejects.
 */
export async function scanEarly<Kind extends SubmissionKind>(
  deps: { verdicts: Verdicts; earlyScans: EarlyScans },
  meta: Meta,
  kind: Kind,
  caseId: string,
  document: Documents[Kind],
): Promise<CaseVerdict | undefined> {
  // A caller that does not wait for the verdict must not be kept waiting for this one either.
  if (waitMsOf(deps.verdicts, meta) === 0) return undefined
  const fields = textsOf(document)
  return deps.earlyScans.ask({ case_id: caseId, kind, revision: 1, fields }, ofNobody(meta))
}

/** The meta data without the caller: scanners must not learn who writes. */
export function ofNobody({ requestId, traceparent, remainingMs }: Meta): Meta {
  return { requestId, remainingMs, ...(traceparent ? { traceparent } : {}) }
}
