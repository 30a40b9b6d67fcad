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
  /** Undefined where no verdict comes in time. Never rejects. */
  ask(texts: SubmissionTexts, meta: Meta): Promise<CaseVerdict | undefined>
  breaker: Breaker
  close(): void
}

const CHOICES = {
  ...BREAKER,
  name: 'scanner',
  // More than this at once wait for each other, and are better asked for as a batch. That they are
  // many says nothing of the scanners.
  capacity: 64,
  errorFilter: (error: unknown) => (error as { code?: unknown }).code === 'ESEMLOCKED',
  volumeThreshold: 5,
  rollingCountTimeout: 5_000,
}

/**
 * Asks behind a circuit breaker, so that scanners that are away or hang cost a write no time, and
 * waits `waitMs` milliseconds at most.
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
 * docs/decisions/0039-a-verdict-before-the-text-is-stored.md. The texts of the stored document must be
 * those of this one, to the letter. Undefined where no verdict comes in time; then the scan is asked
 * for as the text is stored. Never rejects.
 */
export async function scanEarly<Kind extends SubmissionKind>(
  deps: { verdicts: Verdicts; earlyScans: EarlyScans },
  meta: Meta,
  kind: Kind,
  caseId: string,
  document: Documents[Kind],
): Promise<CaseVerdict | undefined> {
  // Whoever does not wait for the verdict is not kept waiting for this one.
  if (waitMsOf(deps.verdicts, meta) === 0) return undefined
  const fields = textsOf(document)
  return deps.earlyScans.ask({ case_id: caseId, kind, revision: 1, fields }, ofNobody(meta))
}

/** Who writes is nothing to a scanner. */
export function ofNobody({ requestId, traceparent, remainingMs }: Meta): Meta {
  return { requestId, remainingMs, ...(traceparent ? { traceparent } : {}) }
}
