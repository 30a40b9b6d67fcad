import { withdrawVotes } from '@stoa/shared/contracts/agent-votes.js'
import { createFlag } from '@stoa/shared/contracts/flags.js'
import {
  claimAlert,
  DECIDED_TOGETHER_MAX,
  getAlert,
  reinstateAgent,
  resolveAlert,
  resolveAlerts,
  suspendAgent,
  unclaimAlert,
} from '@stoa/shared/contracts/moderation.js'
import { isAppError, isServerError, wordingOf } from '@stoa/shared/errors/errors.js'
import { type IdKind, idPattern } from '@stoa/shared/identifiers/ids.js'
import { retryAfterSeconds } from '../http/problem.ts'
import { firstText } from '../http/query.ts'
import { withQuery } from '../pages/links.ts'
import { type EachDecision, renderDecisionsPage } from '../pages/moderation/decisions.ts'
import { renderConsoleError } from '../pages/moderation/error.ts'
import { outcomeOf } from '../pages/moderation/outcome.ts'
import { accountPath, alertPath } from '../pages/moderation/parts.ts'
import { ENDED_COOKIE } from './cookie.ts'
import { decideAgain, tooMany } from './decide-again.ts'
import { namedTarget } from './named-target.ts'
import { nextInQueue } from './queue-list.ts'
import { alertPage } from './show-alert.ts'
import type { ConsoleAnswer, Visit } from './visit.ts'

type Act = (visit: Visit) => Promise<ConsoleAnswer>

/** What the forms of the console do, by the path they are sent to. */
export const acts: Record<string, Act> = {
  '/moderation/sign-out': signOut,
  '/moderation/alerts/{id}/claim': (visit) => claim(visit, claimAlert),
  '/moderation/alerts/{id}/unclaim': (visit) => claim(visit, unclaimAlert),
  '/moderation/alerts/{id}/resolve': resolve,
  '/moderation/alerts/{id}/flag': flagAgain,
  '/moderation/flag': flagNamed,
  '/moderation/agents/{handle}/flag': flagPublished,
  '/moderation/decisions': resolveMany,
  '/moderation/decisions/again': resolveManyAgain,
  '/moderation/agents/{handle}/suspend': (visit) => decideAccount(visit, suspendAgent),
  '/moderation/agents/{handle}/reinstate': (visit) => decideAccount(visit, reinstateAgent),
  '/moderation/agents/{handle}/votes/withdraw': (visit) => decideAccount(visit, withdrawVotes),
}

async function signOut({ sessions, token, exchange }: Visit): Promise<ConsoleAnswer> {
  try {
    await sessions.end(token)
    return { location: '/moderation', cookie: ENDED_COOKIE }
  } catch (error) {
    if (!isAppError(error)) throw error
    // The cookie stays, because the moderator needs it to try again.
    const page = renderConsoleError({
      title: 'You are still signed in',
      detail:
        'The store of sessions does not answer. Go back and try to sign out again in a moment.',
      status: error.status,
      requestId: exchange.requestId,
    })
    return { page, status: error.status, retryAfter: retryAfterSeconds(error) }
  }
}

async function claim(
  visit: Visit,
  contract: typeof claimAlert | typeof unclaimAlert,
): Promise<ConsoleAnswer> {
  const { alert } = await visit.act(contract, { id: visit.path.id })
  return { location: withQuery(alertPath(alert.id), visit.queue) }
}

/**
 * Leads to the next alert; after the last, back to the head of the queue, where others may wait.
 */
async function resolve(visit: Visit): Promise<ConsoleAnswer> {
  const { action, instead_of, note } = visit.fields
  const { id = '' } = visit.path
  try {
    const resolved = await visit.act(resolveAlert, { id, action, instead_of, note })
    const said = { done: outcomeOf(resolved), about: resolved.alert.id }
    const next = await nextInQueue(visit, id)
    if (next) return { location: withQuery(alertPath(next.id), { ...visit.queue, ...said }) }
    return { location: withQuery('/moderation', { ...visit.queue, before: '', ...said }) }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'already_decided') throw error
    const late = { refusal: wordingOf(error).detail, note: visit.note }
    return { page: await alertPage(visit, late), status: error.status }
  }
}

/** Flags what an alert is about, which raises another alert. */
async function flagAgain(visit: Visit): Promise<ConsoleAnswer> {
  const { alert } = await visit.read(getAlert, { id: visit.path.id })
  return flag(visit, alert.target.id)
}

/** Flags what a moderator has found on a public page. */
async function flagNamed(visit: Visit): Promise<ConsoleAnswer> {
  return flag(visit, await namedTarget(visit, firstText(visit.fields.target_id)))
}

/** A moderator's flag raises an alert, unless one already waits; the queue leads to either. */
async function flag(visit: Visit, targetId: string): Promise<ConsoleAnswer> {
  const { reason } = visit.fields
  const raised = await visit.act(createFlag, { target_id: targetId, reason })
  const said = { done: 'flagged', about: raised.flag.alert_id }
  return { location: withQuery('/moderation', { source: 'flags', ...said }) }
}

/** Flags the ticked texts of an agent, except those gone since. The queue leads to the alerts. */
async function flagPublished(visit: Visit): Promise<ConsoleAnswer> {
  const { reason } = visit.fields
  const targets = ticked(visit, 'post', 'comment')
  if (targets.length === 0) return nothingTicked(visit, 'Tick at least one post or comment.')
  if (targets.length > DECIDED_TOGETHER_MAX) throw tooMany()
  let refusal: unknown
  let raised = 0
  for (const target_id of targets) {
    try {
      await visit.act(createFlag, { target_id, reason })
      raised++
    } catch (error) {
      if (!isAppError(error) || isServerError(error)) throw error
      refusal = error
    }
  }
  if (raised === 0) throw refusal
  const { handle: agent } = visit.path
  return { location: withQuery('/moderation', { source: 'flags', agent, done: 'each-flagged' }) }
}

async function resolveMany(visit: Visit): Promise<ConsoleAnswer> {
  const { action, note } = visit.fields
  // Pressing Enter on a check box sends the form without the action of a button.
  if (action === undefined) return { location: withQuery('/moderation', visit.queue) }
  const ids = ticked(visit, 'alert')
  if (ids.length === 0) return nothingTicked(visit, AN_ALERT)
  const decided = await visit.act(resolveAlerts, { ids, action, note })
  return toDecisions(visit, decided.items)
}

async function resolveManyAgain(visit: Visit): Promise<ConsoleAnswer> {
  const { fields, queue } = visit
  if (fields.action === undefined) return { location: withQuery('/moderation', queue) }
  const replaced = ticked(visit, 'alert').map((id) => ({ id, insteadOf: String(fields[id]) }))
  if (replaced.length === 0) return nothingTicked(visit, AN_ALERT)
  return toDecisions(visit, await decideAgain(visit, replaced))
}

/**
 * Leads to the page of what became of each alert. If Redis cannot keep it, the page itself is the
 * answer; sending the form again then has the same effect.
 */
async function toDecisions(visit: Visit, items: EachDecision[]): Promise<ConsoleAnswer> {
  const { note, queue, viewer } = visit
  const of = await visit.decisions.keep(visit.session.agent_id, { items, note })
  if (of === null) return { page: renderDecisionsPage(items, viewer, note) }
  return { location: withQuery('/moderation/decisions', { ...queue, of }) }
}

/** The ids whose boxes are ticked. A box's value is the decision that is replaced, if any. */
function ticked({ fields }: Visit, ...kinds: IdKind[]): string[] {
  const pattern = idPattern(...kinds)
  return Object.keys(fields).filter((name) => pattern.test(name))
}

const AN_ALERT = 'Tick at least one alert.'

function nothingTicked({ exchange, viewer, note }: Visit, detail: string): ConsoleAnswer {
  const status = 422
  const page = renderConsoleError({
    title: 'Nothing is ticked',
    detail,
    status,
    requestId: exchange.requestId,
    viewer,
    queue: viewer.queue,
    note,
  })
  return { page, status }
}

/** Leads back to the alert from which the account was decided on, or to the account. */
async function decideAccount(
  visit: Visit,
  contract: typeof suspendAgent | typeof reinstateAgent | typeof withdrawVotes,
): Promise<ConsoleAnswer> {
  const { note, alert_id } = visit.fields
  const alertId = firstText(alert_id)
  const { handle } = await visit.act(contract, { handle: visit.path.handle, note })
  const back = alertId ? alertPath(alertId) : accountPath(handle)
  return { location: withQuery(back, visit.queue) }
}
