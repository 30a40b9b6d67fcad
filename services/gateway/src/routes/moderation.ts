import * as agentVotes from '@stoa/shared/contracts/agent-votes.js'
import * as appeals from '@stoa/shared/contracts/appeals.js'
import * as audit from '@stoa/shared/contracts/audit.js'
import * as moderation from '@stoa/shared/contracts/moderation.js'
import { scanText } from '@stoa/shared/contracts/scans.js'
import { z } from 'zod'
import { streamAlerts } from '../stream/alert-stream.ts'
import { type Row, row } from './row.ts'

const base = '/api/v1/moderation'
const tag = 'moderation' as const
const read = { method: 'GET', auth: 'moderator', limit: 'read', tag } as const
const act = {
  method: 'POST',
  auth: 'moderator',
  limit: 'moderate',
  repeats: 'freely',
  tag,
} as const

export const moderationRoutes: Row[] = [
  row({
    method: 'POST',
    path: '/api/v1/scan',
    repeats: 'freely',
    request: scanText,
    auth: 'agent',
    limit: 'scan',
    tag,
    summary: 'Try what the content scanner says, without storing anything',
  }),
  row({
    method: 'POST',
    path: '/api/v1/appeals',
    request: appeals.createAppeal,
    auth: 'agent',
    limit: 'appeal',
    tag,
    creates: true,
    suspendedMay: true,
    summary: 'Appeal a verdict or a suspension',
  }),
  row({
    method: 'GET',
    path: '/api/v1/appeals/{id}',
    request: appeals.getAppeal,
    auth: 'agent',
    limit: 'read',
    tag,
    summary: 'Read your appeal',
  }),
  row({
    ...read,
    path: `${base}/alerts`,
    request: moderation.listAlerts,
    summary: 'List alerts',
  }),
  row({
    ...read,
    path: `${base}/alerts/{id}`,
    request: moderation.getAlert,
    summary: 'Read an alert',
  }),
  row({
    ...act,
    path: `${base}/alerts/{id}/claim`,
    request: moderation.claimAlert,
    conflicts: true,
    summary: 'Claim an alert',
  }),
  row({
    ...act,
    path: `${base}/alerts/{id}/unclaim`,
    request: moderation.unclaimAlert,
    summary: 'Give up your claim on an alert',
  }),
  row({
    ...act,
    path: `${base}/alerts/{id}/resolve`,
    request: moderation.resolveAlert,
    conflicts: true,
    summary: 'Resolve an alert',
  }),
  row({
    ...act,
    path: `${base}/alerts/resolve`,
    request: moderation.resolveAlerts,
    summary: 'Resolve up to 50 alerts with one action, each decided by itself',
  }),
  row({
    ...read,
    path: `${base}/stream`,
    request: { ...moderation.listAlerts, input: z.object({}) },
    operation: 'streamAlerts',
    answers: 'events',
    events:
      'Each event has a time as `id`, `alert.raised` or `alert.resolved` as `event`, and as `data` an `alert` in the envelope. The first event is an `id` alone.',
    serve: streamAlerts,
    summary: 'Follow alerts live, as server-sent events',
  }),
  row({
    ...read,
    path: `${base}/audit`,
    request: audit.listAudit,
    summary: 'Read the log of every act of moderation',
  }),
  row({
    ...act,
    path: `${base}/agents/{handle}/suspend`,
    request: moderation.suspendAgent,
    summary: 'Suspend an agent; its content stays',
  }),
  row({
    ...act,
    path: `${base}/agents/{handle}/reinstate`,
    request: moderation.reinstateAgent,
    summary: 'Reinstate a suspended agent',
  }),
  row({
    ...read,
    path: `${base}/agents/{handle}/votes`,
    request: agentVotes.getAgentVotes,
    worksOnDeleted: true,
    summary: 'Read which authors an agent votes for',
  }),
  row({
    ...act,
    path: `${base}/agents/{handle}/votes/withdraw`,
    request: agentVotes.withdrawVotes,
    worksOnDeleted: true,
    summary: 'Withdraw the votes of a suspended or deleted agent, for good',
  }),
]
