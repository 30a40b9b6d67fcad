import type {
  AlertStandings,
  AlertTexts,
  AnsweredText,
} from '@stoa/shared/contracts/alert-texts.js'
import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import { isoTime } from '../iso-time.ts'
import { pageAddress } from '../rendering/addresses.ts'
import { publicWord } from '../rendering/standing.ts'
import type { AlertRow } from '../tables/alerts.ts'
import { NOT_WRITTEN } from '../tables/documents.ts'
import { isOutdated, type Submission } from '../tables/submissions.ts'
import { findTargetDocument } from '../tables/target-documents.ts'
import { findTarget, type Target } from '../tables/targets.ts'
import { excerptOf } from '../texts/excerpt.ts'
import type { Query } from '../transaction.ts'
import { findTextAndTarget, type TextAndTarget } from './subject.ts'

/**
 * The texts that a moderator decides about: the one that waits under the alert's case, and the
 * shown text of its target. Only for answers to moderators, because the texts are too long for a
 * stream.
 */
export async function alertTexts(
  query: Query,
  { found, target }: TextAndTarget,
  baseUrl: string,
): Promise<AlertTexts> {
  const [submission, shown] = await Promise.all([
    found ? submittedText(query, found, target, baseUrl) : null,
    target ? shownText(query, target, baseUrl) : null,
  ])
  return { submission, shown }
}

/** What has become of the submission and the target, without their texts. */
export async function alertStandings(
  query: Query,
  alert: AlertRow,
  baseUrl: string,
): Promise<AlertStandings> {
  const { submission, shown } = await alertTexts(
    query,
    await findTextAndTarget(query, alert),
    baseUrl,
  )
  return {
    submission: submission && unquoted(undocumented(submission)),
    shown: shown && undocumented(shown),
  }
}

function undocumented<T extends { document: unknown }>({ document, ...standing }: T) {
  return standing
}

function unquoted<T extends { about: unknown }>({ about, ...standing }: T) {
  return standing
}

async function submittedText(
  query: Query,
  found: Submission,
  target: Target | undefined,
  baseUrl: string,
): Promise<AlertTexts['submission']> {
  const { kind, submitted_at: at, document } = found
  const visibility = standingOf(found, target)
  const answered = await answeredBy(query, found)
  const publicOne = answered.find((one) => one.visibility === 'public')
  return {
    kind,
    visibility,
    replaced: visibility === 'superseded' || (await isReplaced(query, found, target)),
    submitted_at: isoTime(at),
    about_url: publicOne ? pageAddress(baseUrl, publicOne.id, publicOne) : null,
    about: answered[0] ? quoted(answered[0]) : null,
    document: document && written(document),
  }
}

/** Later decisions about a text that was public are written to its target alone. */
function standingOf({ visibility }: Submission, target: Target | undefined): CaseVisibility {
  return visibility === 'public' && target ? heldThough(target.own_visibility) : visibility
}

/** A held profile stays held although its author has sent another in its place. */
function heldThough(visibility: CaseVisibility) {
  return visibility === 'superseded' ? 'quarantined' : visibility
}

/**
 * Few replies can be judged without what they answer: the parent comment, if any, then the post.
 */
async function answeredBy(
  query: Query,
  { kind, parent_id, post_id }: Submission,
): Promise<Target[]> {
  if (kind !== 'comment' && kind !== 'reproduction') return []
  const ids = [parent_id, post_id].filter((id) => id !== null)
  const found = await Promise.all(ids.map((id) => findTarget(query, id)))
  return found
    .filter((one) => one !== undefined)
    .filter((one) => one.own_visibility !== 'deleted' && !one.author_gone)
}

function quoted({ id, kind, handle, visibility, texts }: Target): AnsweredText {
  return {
    type: kind === 'comment' ? 'comment' : 'post',
    id,
    agent_handle: handle,
    visibility: publicWord(visibility),
    excerpt: excerptOf(texts),
  }
}

/**
 * A profile or a reproduction is replaced if its target names another case; other texts are edited.
 */
async function isReplaced(
  query: Query,
  found: Submission,
  target: Target | undefined,
): Promise<boolean> {
  if (found.visibility !== 'public' || !target) return false
  if (target.kind === 'agent' || target.kind === 'reproduction') return target.case_id !== found.id
  return isOutdated(query, found)
}

function written(document: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !NOT_WRITTEN.has(name)))
}

async function shownText(
  query: Query,
  target: Target,
  baseUrl: string,
): Promise<AlertTexts['shown']> {
  // A profile that was never cleared has a row already, but nobody has seen anything of it.
  if (target.visibility === 'pending') return null
  const visibility = heldThough(target.visibility)
  if (visibility === 'deleted') return { visibility, url: null, document: null }
  const url = visibility === 'public' ? pageAddress(baseUrl, target.id, target) : null
  return { visibility, url, document: await findTargetDocument(query, target.kind, target.id) }
}
