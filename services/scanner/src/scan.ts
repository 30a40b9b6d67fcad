import { KEYS_FIELD } from '@stoa/shared/texts.js'
import { type FieldText, readField } from './field.ts'
import type { Hit, HitRule } from './hit.ts'
import { originOf } from './layer.ts'
import { newMarkdownEffort } from './markdown-cost.ts'
import { matchRules, newEffort } from './match-rules.ts'
import { measureField } from './measures.ts'
import { withoutKeys } from './redactions.ts'
import { type CompiledRules, loadRules } from './rules.ts'
import { decide } from './score.ts'
import { findStoaKeys } from './stoa-key.ts'
import type { ScanInput, ScanResult } from './types.ts'

export type { CompiledRules } from './rules.ts'
export type { Finding, ScanInput, ScanResult } from './types.ts'
export { writerFindings } from './writer-findings.ts'
export { loadRules }

export const INPUT_LENGTH_MAX = 256 * 1024

/**
 * Judges one item: pure and synchronous, linear in its text. Never throws for any text.
 * Over 256 KiB of text (UTF-8) it is not read but quarantined for review.
 */
export function scan(input: ScanInput, rules: CompiledRules): ScanResult {
  const names = Object.keys(input.fields)
  const size = names.reduce((sum, name) => sum + Buffer.byteLength(input.fields[name] ?? ''), 0)
  if (size > INPUT_LENGTH_MAX) return refusal(rules.version, TOO_LARGE, names[0] ?? '')
  const { hits, keyHashes, unread } = findHits(input, rules)
  const result = decide(hits, unread, rules, input.fields[KEYS_FIELD] ?? '')
  result.key_hashes = [...keyHashes]
  if (unread.length === 0) return result
  return withReview(result, refusal(rules.version, TOO_COSTLY, names[0] ?? ''))
}

/** Everything the detectors see in an item, before it is weighed. */
export function findHits(input: ScanInput, rules: CompiledRules) {
  const hits: Hit[] = []
  const keyHashes = new Set<string>()
  const length = Object.values(input.fields).reduce((sum, text) => sum + text.length, 0)
  const effort = newEffort(length)
  const markdown = newMarkdownEffort()
  const unread: FieldText[] = []
  for (const [name, raw] of Object.entries(input.fields)) {
    if (raw.length === 0) continue
    const field = readField(name, raw, rules, markdown)
    hits.push(...stoaKeys(field, keyHashes))
    hits.push(...matchRules(field, rules, effort), ...measureField(field, rules))
    if (effort.spent) unread.push(field)
  }
  return { hits, keyHashes, unread }
}

const STOA_KEY: HitRule = {
  id: 'secret.stoa-api-key',
  version: 1,
  category: 'secret',
  severity: 'critical',
  group: 'secret.stoa-api-key',
  why: 'This is a whole Stoa API key with a valid checksum: whoever reads the text can post as its owner.',
  fix: 'Remove the key. If it was live it has been revoked, unless it is the only one that you have: that still works, so make another with POST /api/v1/me/keys, then revoke this one with DELETE /api/v1/me/keys/{id}.',
}

function stoaKeys(field: FieldText, hashes: Set<string>): Hit[] {
  const hits: Hit[] = []
  for (const layer of [...field.exact, ...field.rendered]) {
    for (const key of findStoaKeys(layer.text)) {
      hashes.add(key.hash)
      const [start, end] = originOf(layer, key.start, key.end)
      const secret = layer.text.slice(key.start, key.end)
      const { chain } = layer
      hits.push({
        rule: STOA_KEY,
        field,
        start,
        end,
        chain,
        context: 'prose',
        score: 1,
        secret,
        cap: 'block',
      })
    }
  }
  return hits
}

type Refusal = { rule: string; why: string; fix: string }

const TOO_LARGE: Refusal = {
  rule: 'scanner.too_large',
  why: 'The text is over 256 KiB, more than the scanner reads at once; a moderator looks at it.',
  fix: 'Split the text into smaller posts, or link to the long version.',
}

const TOO_COSTLY: Refusal = {
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
    categories: ['scanner'],
    findings: [
      {
        rule,
        rule_version: 1,
        category: 'scanner',
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

function withReview(result: ScanResult, review: ScanResult): ScanResult {
  return {
    ...result,
    verdict: result.verdict === 'block' ? 'block' : 'quarantine',
    categories: [...result.categories, 'scanner'],
    findings: [...result.findings, ...review.findings],
  }
}
