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
 * A quarantine for review, given instead of a scan or beside one that did not finish reading. It
 * names no key of `data`, because the keys may not have been read.
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
 * Adds a review to a verdict. The review's finding comes first, because a verdict carries only its
 * first findings and this one says that there may be an undetected secret.
 */
export function withReview(result: ScanResult, review: ScanResult): ScanResult {
  return {
    ...result,
    verdict: result.verdict === 'block' ? 'block' : 'quarantine',
    categories: [...result.categories, UNREAD],
    findings: [...review.findings, ...result.findings],
  }
}
