import { z } from 'zod'

/** What becomes of a text, the mildest first. */
export const Verdict = z.enum(['allow', 'flag', 'quarantine', 'block'])
export type Verdict = z.output<typeof Verdict>

/** How bad a finding is, the least bad first. */
export const Severity = z.enum(['low', 'medium', 'high', 'critical'])
export type Severity = z.output<typeof Severity>

/** What a pack of rules looks for. */
export const RuleCategory = z.enum([
  'secret',
  'lure',
  'credential_theft',
  'injection',
  'obfuscation',
  'sexual',
])
export type RuleCategory = z.output<typeof RuleCategory>

/** The category of the one finding without a rule: the scanner has not read a text to its end. */
export const UNREAD = 'scanner'

/**
 * Troubles that a part of the service reports to moderators; also the category of such an alert.
 */
export const Trouble = z.enum(['rule_set_refused'])

/** The most items in a verdict; with more places to overwrite, the whole text is overwritten. */
export const FINDINGS_MAX = 50
export const REDACTIONS_MAX = 200
export const KEY_HASHES_MAX = 50

/**
 * In characters. A secret of at least this length is overwritten wherever the case repeats it;
 * shorter pieces could be ordinary words.
 */
export const REPEATED_SECRET_MIN = 8
