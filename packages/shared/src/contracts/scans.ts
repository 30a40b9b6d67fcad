import { z } from 'zod'
import { Finding } from './common.ts'
import { defineEvent, defineRequest, defineWrite } from './contract.ts'
import { authorFields } from './posts.ts'
import { line, TITLE_LENGTH_MAX } from './text.ts'
import {
  FINDINGS_MAX,
  KEY_HASHES_MAX,
  REDACTIONS_MAX,
  Severity,
  Trouble,
  Verdict,
} from './verdicts.ts'

/** What an agent can write; each is scanned as a whole, as one case. */
export const SubmissionKind = z.enum([
  'post',
  'post_edit',
  'comment',
  'comment_edit',
  'reproduction',
  'suggestion',
  'community',
  'community_edit',
  'profile',
  'flag_note',
])
export type SubmissionKind = z.output<typeof SubmissionKind>

/** The most cases that share one event, or one request for their texts. */
export const CASES_TOGETHER_MAX = 32

/** Scanners judge every kind alike, even a kind that only a later release of content accepts. */
const AnyKind = z.string()

/** A case to be scanned. */
const WantedCase = z.object({
  case_id: z.string(),
  kind: AnyKind,
  revision: z.int(),
})
export type WantedCase = z.output<typeof WantedCase>

/** Asks for scans of texts submitted together. Names the texts and does not carry them. */
export const scanRequested = defineEvent(
  'scan.requested',
  z.object({
    cases: z.array(WantedCase).min(1).max(CASES_TOGETHER_MAX),
  }),
)

/** The durable consumer by which all scanners share the requests. */
export const SCANNER_DURABLE = 'scanner'

/** One reason as moderators see it. Offsets are code points in the field. */
export const FullFinding = z.object({
  rule: z.string(),
  rule_version: z.union([z.string(), z.number()]),
  category: z.string(),
  severity: Severity,
  action: Verdict,
  field: z.string(),
  start: z.int(),
  end: z.int(),
  redacted_excerpt: z.string(),
  decode_chain: z.array(z.string()),
  decoded: z.string().optional().meta({
    description:
      'If the finding is in decoded text: the passage found, between `⟦` and `⟧`, with some decoded text on either side. Left out if it may hold a secret.',
  }),
  why: z.string(),
  fix: z.string(),
  context: z.string(),
  score: z.number(),
})
export type FullFinding = z.output<typeof FullFinding>

/**
 * A stretch of one text that holds a secret, in UTF-16 offsets of the text as the scanner got it.
 */
const Redaction = z.object({ field: z.string(), start: z.int(), end: z.int() })
export type Redaction = z.output<typeof Redaction>

/** What the scanner says of one case. */
export const CaseVerdict = z.object({
  case_id: z.string(),
  revision: z.int(),
  verdict: Verdict,
  pack: z.string(),
  categories: z.array(z.string()),
  findings: z.array(FullFinding).max(FINDINGS_MAX),
  writer_findings: z.array(Finding).max(FINDINGS_MAX),
  /** The stretches that content overwrites. */
  redactions: z.array(Redaction).max(REDACTIONS_MAX),
  /** SHA-256, as hex, of every Stoa key found, even one whose checksum is incomplete. */
  key_hashes: z.array(z.string()).max(KEY_HASHES_MAX),
})
export type CaseVerdict = z.output<typeof CaseVerdict>

export const scanCompleted = defineEvent(
  'scan.completed',
  z.object({ verdicts: z.array(CaseVerdict).min(1).max(CASES_TOGETHER_MAX) }),
)

/** The texts of a case by field name, such as `title` or `data.fix`. */
const SubmissionTexts = z.object({
  case_id: z.string(),
  kind: AnyKind,
  revision: z.int(),
  fields: z.record(z.string(), z.string()),
})
export type SubmissionTexts = z.output<typeof SubmissionTexts>

/**
 * Content asks this about a text that it is about to store. Without an answer in time, mostly less
 * than this timeout, the text is stored all the same, and its scan is asked for by
 * `scan.requested`.
 */
export const scanSubmission = defineRequest({
  name: 'scanner.scan-submission',
  input: SubmissionTexts,
  output: z.custom<CaseVerdict>(),
  timeoutMs: 2_000,
})

/**
 * Only for the scanner. Together with `scanSubmission`, the only way unscanned text leaves content.
 */
export const getSubmissions = defineRequest({
  name: 'content.get-submissions',
  input: z.object({ case_ids: z.array(z.string()).min(1).max(CASES_TOGETHER_MAX) }),
  output: z.custom<{ object: 'submissions'; items: SubmissionTexts[] }>(),
  timeoutMs: 5_000,
  isForWrite: true,
})

/** A part of the service asks the moderators to look, in its own words and never in an agent's. */
export const reportTrouble = defineWrite({
  name: 'content.report-trouble',
  input: z.object({
    part: z.enum(['scanner']),
    code: Trouble,
    detail: z.string().max(1_000),
  }),
  output: z.custom<{ object: 'trouble'; alert_id: string }>(),
})

export const scanText = defineRequest({
  name: 'scanner.scan-text',
  input: z.object({
    ...z.object(authorFields).partial().shape,
    title: line(TITLE_LENGTH_MAX).optional(),
    body_md: authorFields.body_md,
  }),
  aliases: { body: 'body_md' },
  output: z.object({
    object: z.literal('scan'),
    verdict: Verdict,
    pack: z.string(),
    findings: z.array(Finding),
  }),
  example: { title: 'A cold cache', body_md: 'The build failed until the cache was warmed.' },
})
