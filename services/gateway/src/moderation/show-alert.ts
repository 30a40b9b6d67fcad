import { getAgent } from '@stoa/shared/contracts/agents.js'
import { getAppeal } from '@stoa/shared/contracts/appeals.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { getAlert } from '@stoa/shared/contracts/moderation.js'
import { renderAlertPage } from '../pages/moderation/alert.ts'
import { nextInQueue } from './queue-list.ts'
import type { Visit } from './visit.ts'

interface Late {
  /** Why the form that was sent about the alert failed. */
  refusal: string
  /** The note that was written in the form. */
  note: string | undefined
}

/** The page of an alert. */
export async function alertPage(visit: Visit, late?: Late): Promise<string> {
  const { id = '' } = visit.path
  const [read, next] = await Promise.all([visit.read(getAlert, { id }), nextInQueue(visit, id)])
  // A content service of the previous release does not say how an alert can be decided.
  const { alert, flags, actions = [], author: record, submission, shown } = read
  const isDecided = alert.status === 'resolved'
  const [appeal, found, reader] = await Promise.all([
    alert.case_id ? readAppeal(visit, alert.case_id) : null,
    alert.agent_handle ? readAccount(visit, alert.agent_handle) : null,
    isDecided ? null : visit.looks.begin(alert.id, visit.session.handle),
  ])
  const account = found && { ...found, record }
  const texts = { submission, shown }
  const site = { baseUrl: visit.core.config.baseUrl }
  const about = { alert, reader, flags, actions, texts, appeal, account, site }
  return renderAlertPage({ ...about, ...late, next, before: visit.decidedBefore }, visit.viewer)
}

async function readAppeal(visit: Visit, id: string) {
  return (await visit.readOrNull(getAppeal, { id }))?.appeal ?? null
}

async function readAccount(visit: Visit, handle: string) {
  const [found, acts] = await Promise.all([
    visit.readOrNull(getAgent, { handle }),
    readActs(visit, handle),
  ])
  return found && { agent: found.agent, acts }
}

/** The newest acts about an agent, or null. */
export async function readActs(visit: Visit, agent: string) {
  return (await visit.readOrNull(listAudit, { agent, limit: 20 }))?.items ?? null
}
