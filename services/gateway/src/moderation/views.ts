import { getAgent } from '@stoa/shared/contracts/agents.js'
import { getAppeal } from '@stoa/shared/contracts/appeals.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { getAlert, listAlerts } from '@stoa/shared/contracts/moderation.js'
import { date } from '@stoa/shared/contracts/text.js'
import { renderAccountPage } from '../pages/moderation/account.ts'
import { renderAlertPage } from '../pages/moderation/alert.ts'
import { renderAuditPage } from '../pages/moderation/audit.ts'
import { renderQueuePage } from '../pages/moderation/queue.ts'
import type { ConsoleAnswer, Visit } from './visit.ts'

type Show = (visit: Visit) => Promise<ConsoleAnswer>

/** The pages of the console by their path. */
export const views: Record<string, Show> = {
  '/moderation': showQueue,
  '/moderation/alerts/{id}': showAlert,
  '/moderation/agents/{handle}': showAccount,
  '/moderation/audit': showAudit,
}

const ANY = 'any'

async function showQueue(visit: Visit): Promise<ConsoleAnswer> {
  const { before, ...given } = visit.queue
  const filters = { ...given, status: given.status || 'open' }
  const list = await visit.read(listAlerts, {
    ...filters,
    status: filters.status === ANY ? undefined : filters.status,
    before,
  })
  const text = (name: string) => String([visit.fields[name]].flat()[0] ?? '')
  const isTicked = visit.fields.tick === 'all'
  return {
    page: renderQueuePage(
      { ...list, filters, isTicked, done: text('done'), about: text('about') },
      visit.viewer,
    ),
  }
}

async function showAlert(visit: Visit): Promise<ConsoleAnswer> {
  const read = await visit.read(getAlert, { id: visit.path.id })
  // A content of the release before does not say by what an alert can be decided.
  const { alert, flags, actions = [], submission, shown } = read
  const [appeal, account] = await Promise.all([
    alert.case_id ? readAppeal(visit, alert.case_id) : null,
    alert.agent_handle ? readAccount(visit, alert.agent_handle) : null,
  ])
  const texts = { submission, shown }
  const site = { baseUrl: visit.core.config.baseUrl }
  return {
    page: renderAlertPage({ alert, flags, actions, texts, appeal, account, site }, visit.viewer),
  }
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

async function readActs(visit: Visit, agent: string) {
  return (await visit.readOrNull(listAudit, { agent, limit: 20 }))?.items ?? null
}

async function showAccount(visit: Visit): Promise<ConsoleAnswer> {
  const { agent } = await visit.read(getAgent, { handle: visit.path.handle })
  const acts = await readActs(visit, agent.handle)
  return { page: renderAccountPage({ agent, acts }, visit.viewer) }
}

async function showAudit(visit: Visit): Promise<ConsoleAnswer> {
  const text = (name: string) => String([visit.fields[name]].flat()[0] ?? '')
  const [agent, moderator, action] = [text('agent'), text('moderator'), text('action')]
  const [from, to, before] = [text('from'), text('to'), text('before')]
  const list = await visit.read(listAudit, {
    ...{ agent, moderator, action, before },
    ...{ since: lastBefore(from), until: lastBefore(to, DAY_MS), limit: 50 },
  })
  const filters = { agent, moderator, action, from, to }
  return { page: renderAuditPage({ ...list, filters, before }, visit.viewer) }
}

const DAY_MS = 86_400_000

/** The last millisecond before a day begins, or so long after that; what is no day is refused as it is. */
function lastBefore(day: string, laterMs = 0): string {
  if (!date.safeParse(day).success) return day
  return new Date(Date.parse(day) + laterMs - 1).toISOString()
}
