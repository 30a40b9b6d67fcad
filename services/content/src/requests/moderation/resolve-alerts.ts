import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type {
  Alert,
  resolveAlerts as contract,
  Decision,
} from '@stoa/shared/contracts/moderation.js'
import { AppError, ERRORS, isAppError, wordingOf } from '@stoa/shared/errors/errors.js'
import type { ContentDeps } from '../../deps.ts'
import { decideAlert } from '../../moderation/decide-alert.ts'
import { renderAlert, shownTitle } from '../../rendering/alert.ts'
import { findAlert, findAlerts } from '../../tables/alerts.ts'
import { asTold } from '../../writes/outcome.ts'
import { requireModerator } from '../../writes/writer.ts'

type Input = InputOf<typeof contract>

/** A decision without the title, which is read for all decisions together. */
interface Untitled extends Omit<Decision, 'alert'> {
  alert: ReturnType<typeof withoutTexts> | null
}

/** Milliseconds kept for a decision that waits for a lock, and for the answer itself. */
const LAST_DECISION_MS = 6_000

/**
 * Decides several alerts one after the other, each in a transaction of its own, as if decided
 * alone: an error of one is reported for it and does not stop the others. Only alerts that are
 * still undecided are decided: approving a list read a while ago must not bring back what was
 * removed since. When time runs out, the rest is refused as `unavailable`; a repeated request goes
 * on there, because decisions stand.
 */
export async function resolveAlerts(
  deps: ContentDeps,
  input: Input,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const deadlineMs = performance.now() + meta.remainingMs - LAST_DECISION_MS
  // A caller that may not decide is told so at once, not for each alert.
  await deps.db.read((query) => requireModerator(query, meta))
  const tags = new Set<string>()
  const decisions: Untitled[] = []
  for (const id of input.ids) {
    try {
      if (performance.now() >= deadlineMs) throw new AppError('unavailable')
      const decided = await decideAlert(deps, { ...input, id }, meta)
      for (const tag of decided.tags) tags.add(tag)
      const { alert, submission, shown } = decided
      decisions.push({ id, error: null, alert: withoutTexts(alert), submission, shown })
    } catch (error) {
      decisions.push(await refused(deps, id, asTold(error), meta))
    }
  }
  const titles = await titlesOf(deps, input.ids, meta)
  const items = decisions.map(({ alert, ...decision }): Decision => {
    return { ...decision, alert: alert && { ...alert, title: titles.get(alert.id) ?? null } }
  })
  const resolved = items.filter(({ error }) => error === null).length
  const counts = { resolved, refused: items.length - resolved }
  return reply({ object: 'decisions', ...counts, items }, { tags: [...tags] })
}

async function refused(
  deps: ContentDeps,
  id: string,
  thrown: unknown,
  meta: Meta,
): Promise<Untitled> {
  const error = isAppError(thrown) ? thrown : new AppError('internal')
  if (error !== thrown)
    deps.log.error({ err: thrown, alert: id, request_id: meta.requestId }, 'bug')
  const { status, retryable } = ERRORS[error.code]
  const { errors } = error.details
  const said = { code: error.code, status, ...wordingOf(error), retryable }
  return {
    id,
    error: errors ? { ...said, errors } : said,
    alert: status < 500 ? await alertNow(deps, id, meta) : null,
    submission: null,
    shown: null,
  }
}

/**
 * The alert now, so that a late moderator reads who decided; null if the caller may not read it.
 */
async function alertNow(deps: ContentDeps, id: string, meta: Meta): Promise<Untitled['alert']> {
  const reading = deps.db.read(async (query) => {
    await requireModerator(query, meta)
    return findAlert(query, id)
  })
  const row = await reading.catch(() => undefined)
  return row ? withoutTexts(renderAlert(row, deps.baseUrl)) : null
}

/** Titles of the alerts by id. If they cannot be read, the decisions are answered without them. */
async function titlesOf(
  deps: ContentDeps,
  ids: string[],
  meta: Meta,
): Promise<Map<string, string | null>> {
  const reading = deps.db.read(async (query) => {
    await requireModerator(query, meta)
    return findAlerts(query, ids)
  })
  const rows = await reading.catch(() => [])
  return new Map(rows.map((row) => [row.id, shownTitle(row)]))
}

function withoutTexts({ findings, excerpt, note, untrusted, ...alert }: Alert) {
  return alert
}
