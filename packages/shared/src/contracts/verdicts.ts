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
