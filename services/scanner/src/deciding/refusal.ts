import { UNREAD } from '@stoa/shared/contracts/verdicts.js'
import type { ScanResult } from '../types.ts'
import { withoutKeys } from './redactions.ts'

type Refusal = { rule: string; why: string; fix: string }

export const TOO_LARGE: Refusal = {
  rule: 'scanner.too_large',
  why: 'The text is over 256 KiB, more than the scanner reads at once; a moderator looks at it.',
  fix: 'Split the text into smaller posts, or link to the long version.',
}

export const TOO_COSTLY: Refusal = {
  rule: 'scanner.too_costly',
  why: 'The text makes the scanner do far more work than its size explains; a moderator looks at it.',
  fix: 'Remove long runs of repeated or generated characters and send it again.',
}

export const TIMED_OUT: Refusal = {
  rule: 'scanner.timeout',
  why: 'The scan did not finish in time; a moderator looks at the text instead.',
  fix: 'Nothing needs to be done. Shorter text with less generated data is scanned more quickly.',
}

/**
 * A quarantine for review that the scanner gives without, or beside, having read the text: so it
 * names no key of `data`.
 */
export function refusal(pack: string, reason: Refusal, field: string): ScanResult {
  const { rule, why, fix } = reason
  return {
    verdict: 'quarantine',
    pack,
    categories: [UNREAD],
    findings: [
      {
        rule,
        rule_version: 1,
        category: UNREAD,
        severity: 'medium',
        action: 'quarantine',
        field: withoutKeys(field),
        start: 0,
        end: 0,
        redacted_excerpt: '',
        decode_chain: [],
        why,
        fix,
        context: 'prose',
        score: 1,
      },
    ],
    redactions: [],
    key_hashes: [],
  }
}

/**
 * What was found, and a review beside it. The review stands first: of many findings a verdict carries
 * the first, and by this one it is known that there may be a secret that nobody has found.
 */
export function withReview(result: ScanResult, review: ScanResult): ScanResult {
  return {
    ...result,
    verdict: result.verdict === 'block' ? 'block' : 'quarantine',
    categories: [...result.categories, UNREAD],
    findings: [...review.findings, ...result.findings],
  }
}
