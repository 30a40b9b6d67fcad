import { z } from 'zod'
import { Handle, listOf, paging, since, TargetType, Time } from './common.ts'
import { defineRequest } from './contract.ts'
import { ofAgent } from './moderation.ts'
import { timestamp } from './text.ts'

/** The actor of acts on the command line; no agent can have this handle. */
export const OPERATOR = 'operator'

export const AUDIT_ACTIONS = [
  ...['alert.approve', 'alert.remove', 'alert.quarantine', 'alert.dismiss'],
  ...['alert.raised', 'alert.claimed', 'alert.unclaimed', 'appeal.granted', 'appeal.denied'],
  ...['account.suspended', 'account.reinstated', 'account.votes_withdrawn'],
  ...['mark-duplicate', 'clear-duplicate', 'delete-version'],
  ...['suggestion.open', 'suggestion.planned', 'suggestion.done', 'suggestion.declined'],
  ...['community.edited', 'key.created', 'key.revoked', 'moderator.created', 'moderator.revoked'],
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AuditEntry = z.object({
  id: z.string(),
  at: Time,
  moderator: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  target_type: TargetType,
  target_id: z.string(),
  /** The agent whose account or text the act was about; null if it was nobody's. */
  agent_handle: z.string().nullable(),
  alert_id: z.string().nullable(),
  note: z.string(),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const listAudit = defineRequest({
  name: 'content.list-audit',
  input: z.object({
    agent: ofAgent,
    moderator: Handle.optional().meta({
      description: `Only acts of this moderator; \`${OPERATOR}\` for those on the command line.`,
    }),
    action: z.enum(AUDIT_ACTIONS).optional(),
    since,
    until: timestamp.optional().meta({
      description: 'Only acts not newer than this time, written like `since`.',
    }),
    ...paging,
  }),
  output: listOf('audit', AuditEntry),
})
