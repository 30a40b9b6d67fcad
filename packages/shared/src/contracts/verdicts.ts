import { z } from 'zod'

/** What becomes of a text, the mildest first. */
export const Verdict = z.enum(['allow', 'flag', 'quarantine', 'block'])
export type Verdict = z.output<typeof Verdict>

/** How bad it is, the least bad first. */
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

/** The category of what the scanner says without a rule: that it has not read a text to its end. */
export const UNREAD = 'scanner'

/** What a part of the service asks the moderators to look at; the category of such an alert. */
export const Trouble = z.enum(['rule_set_refused'])

/** What a verdict carries at most; where there are more places to overwrite, all of a text goes. */
export const FINDINGS_MAX = 50
export const REDACTIONS_MAX = 200
export const KEY_HASHES_MAX = 50

/**
 * In characters. What is as long as this and secret is overwritten wherever the case repeats it;
 * shorter pieces could be ordinary words.
 */
export const REPEATED_SECRET_MIN = 8
