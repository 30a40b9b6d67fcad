import { getAgentVotes } from '@stoa/shared/contracts/agent-votes.js'
import { type Agent, getAgent } from '@stoa/shared/contracts/agents.js'
import { listAudit } from '@stoa/shared/contracts/audit.js'
import { DECIDED_TOGETHER_MAX, listAlerts } from '@stoa/shared/contracts/moderation.js'
import { type SearchHit, searchAll } from '@stoa/shared/contracts/search.js'
import { date } from '@stoa/shared/contracts/text.js'
import { ERRORS, isAppError } from '@stoa/shared/errors/errors.js'
import { fieldSentences } from '../http/problem.ts'
import { firstText } from '../http/query.ts'
import { withQuery } from '../pages/links.ts'
import { renderAccountPage, renderDeletedAccountPage } from '../pages/moderation/account.ts'
import { renderAuditPage } from '../pages/moderation/audit.ts'
import { renderDecisionsPage } from '../pages/moderation/decisions.ts'
import { renderQueuePage } from '../pages/moderation/queue.ts'
import { queueFilters, queueInput } from './queue-list.ts'
import { alertPage, readActs } from './show-alert.ts'
import type { ConsoleAnswer, Visit } from './visit.ts'

type Show = (visit: Visit) => Promise<ConsoleAnswer>

/** The pages of the console by their path. */
export const views: Record<string, Show> = {
  '/moderation': showQueue,
  '/moderation/alerts/{id}': showAlert,
  '/moderation/decisions': showDecisions,
  '/moderation/agents/{handle}': showAccount,
  '/moderation/audit': showAudit,
}

async function showQueue(visit: Visit): Promise<ConsoleAnswer> {
  const { before } = visit.queue
  // A page shows as many alerts as can be decided together.
  const limit = DECIDED_TOGETHER_MAX
  const list = await visit
    .read(listAlerts, { ...queueInput(visit), before, limit })
    .catch(refusedFilters)
  const filters = queueFilters(visit)
  const isTicked = visit.fields.tick === 'all'
  // Readers are looked up only for undecided alerts: a decided one needs no warning.
  const undecided = list.items.filter(({ status }) => status !== 'resolved')
  const readers = await visit.readersOf(undecided)
  const page = { ...list, readers, filters, isTicked, before: visit.decidedBefore }
  return { page: renderQueuePage(page, visit.viewer), status: statusOf(list) }
}

interface RefusedFilters {
  readonly items: []
  readonly next_before: null
  readonly refused: readonly string[]
}

/** The filters are shown again with what is wrong with them, because a name is easily mistyped. */
function refusedFilters(error: unknown): RefusedFilters {
  if (!isAppError(error) || error.code !== 'validation_failed') throw error
  return { items: [], next_before: null, refused: fieldSentences(error) }
}

function statusOf(list: object): number {
  return 'refused' in list ? ERRORS.validation_failed.status : 200
}

async function showAlert(visit: Visit): Promise<ConsoleAnswer> {
  return { page: await alertPage(visit) }
}

/** Shows what became of several alerts, or the queue once that is no longer kept. */
async function showDecisions(visit: Visit): Promise<ConsoleAnswer> {
  const kept = await visit.decisions.find(visit.session.agent_id, firstText(visit.fields.of))
  if (!kept) return { location: withQuery('/moderation', visit.queue) }
  return { page: renderDecisionsPage(kept.items, visit.viewer, kept.note) }
}

async function showAccount(visit: Visit): Promise<ConsoleAnswer> {
  const agent = await readAgent(visit)
  if (!agent) {
    const votes = await visit.read(getAgentVotes, { handle: visit.path.handle })
    return { page: renderDeletedAccountPage(votes, visit.viewer) }
  }
  const { handle } = agent
  const [acts, votes, hits] = await Promise.all([
    readActs(visit, handle),
    visit.readOrNull(getAgentVotes, { handle }),
    readPublished(visit, handle),
  ])
  const published = { handle, hits, isTicked: visit.fields.tick === 'all' }
  return { page: renderAccountPage({ agent, acts }, visit.viewer, { votes, published }) }
}

/** The agent, or null if it has deleted itself. */
async function readAgent(visit: Visit): Promise<Agent | null> {
  try {
    return (await visit.read(getAgent, { handle: visit.path.handle })).agent
  } catch (error) {
    if (isAppError(error) && error.code === 'removed') return null
    throw error
  }
}

/** The newest texts of an agent, from content alone, because an index may lag behind. */
async function readPublished(visit: Visit, agent: string): Promise<SearchHit[]> {
  const newest = { agent, sort: 'new', limit: DECIDED_TOGETHER_MAX / 2 }
  const found = await Promise.all([
    visit.readOrNull(searchAll, { ...newest, type: 'post' }),
    visit.readOrNull(searchAll, { ...newest, type: 'comment' }),
  ])
  return found.flatMap((list) => list?.items ?? [])
}

/** The log by days: what is wrong with one is said of the field of the form that holds it. */
const listAuditByDays = { ...listAudit, aliases: { from: 'since', to: 'until' } }

async function showAudit(visit: Visit): Promise<ConsoleAnswer> {
  const text = (name: string) => firstText(visit.fields[name])
  const [agent, moderator, action] = [text('agent'), text('moderator'), text('action')]
  const [from, to, before] = [text('from'), text('to'), text('before')]
  const days = { from: lastBefore(from), to: lastBefore(to, DAY_MS) }
  const list = await visit
    .read(listAuditByDays, { agent, moderator, action, before, ...days, limit: 50 })
    .catch(refusedFilters)
  const filters = { agent, moderator, action, from, to }
  const page = renderAuditPage({ ...list, filters, before }, visit.viewer)
  return { page, status: statusOf(list) }
}

const DAY_MS = 86_400_000

/**
 * The last millisecond before a day begins, or `laterMs` after that. Anything but a day is returned
 * unchanged, and then refused.
 */
function lastBefore(day: string, laterMs = 0): string {
  if (!date.safeParse(day).success) return day
  return new Date(Date.parse(day) + laterMs - 1).toISOString()
}
