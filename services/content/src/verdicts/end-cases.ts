import { postTag } from '@stoa/shared/answers/cache-tags.js'
import type { SubmissionKind } from '@stoa/shared/contracts/scans.js'
import type { HotSettings } from '@stoa/shared/hot-order/hot-score.js'
import { announce, type Notices } from '../notices.ts'
import { type Publication, publish } from '../publication.ts'
import { lockCommunities } from '../tables/community-rows.ts'
import { Effects } from '../tables/effects.ts'
import { lockStats, tryLockStats } from '../tables/stats.ts'
import { excerptOf } from '../texts/excerpt.ts'
import type { Transaction } from '../transaction.ts'
import { type Case, lockAccounts, readSurroundings, type Surroundings } from './cases.ts'
import { endReplacedProfiles } from './end-replaced-profiles.ts'
import { type Decision, type Ended, type Ending, endedBy } from './endings.ts'
import { revokeLeakedKeys } from './leaked-keys.ts'
import { linkedPages } from './linked-pages.ts'
import { parentEnding, parentMayReturn } from './parent-ending.ts'
import { publishComment, publishCommentEdit } from './publish-comment.ts'
import {
  publishCommunity,
  publishCommunityEdit,
  publishFlagNote,
  publishProfile,
  publishSuggestion,
} from './publish-other.ts'
import { publishPost, publishPostEdit } from './publish-post.ts'
import { publishReproduction } from './publish-reproduction.ts'
import type { Publishing } from './publishing.ts'
import { type AlertCause, raiseAlert, worstOf } from './raise-alert.ts'
import { settleSlugs } from './settle-slugs.ts'
import { textsOf } from './texts.ts'

export interface EndDeps {
  notices: Notices
  hot: HotSettings
  baseUrl: string
}

interface CaseStore {
  /** Writes how cases ended. */
  save(tx: Transaction, ended: Ended[]): void
  /** Whether to wait for posts that another transaction has locked, or to leave out their cases. */
  waits: boolean
}

/** A verdict that took longer than a writer waits is told through the inbox. */
const LATE_AFTER_MS = 2_000

/**
 * Ends cases that no other transaction can end at the same time: they are locked, or not stored
 * yet. Returns how each ended.
 *
 * 1. Lock the counters of the posts they belong to, in id order, then the accounts that are about
 *    to change or seem to hold a text back, and the communities that are about to change.
 * 2. Decide how each case ends, given the present state of its author, its parent and its base
 *    version.
 * 3. `save` writes the endings; then ticks are taken and the rest is written together with COMMIT.
 */
export async function endCases(
  tx: Transaction,
  deps: EndDeps,
  cases: Omit<Ended, 'ending'>[],
  { save, waits }: CaseStore,
): Promise<Map<string, Ending>> {
  const lock = waits ? lockStats : tryLockStats
  const [stats, surroundings] = await Promise.all([
    lock(
      tx,
      cases.flatMap(({ found }) => found.post_id ?? []),
    ),
    readSurroundings(
      tx,
      cases.map(({ found }) => found),
    ),
  ])
  const isReady = ({ post_id: id }: Case) => waits || id === null || stats.has(id)
  const ready = cases.filter(({ found }) => isReady(found))
  if (ready.length === 0) return new Map()
  const settled = await settleAccounts(tx, ready)
  const edited = settled.filter(({ found }) => found.kind === 'community_edit')
  const communities = await lockCommunities(
    tx,
    edited.map(({ found }) => found.target_id),
  )
  const around = { ...surroundings, communities }
  const decided = settled.map(
    ({ found, decision }): Ended => ({
      found,
      decision,
      ending: endingOf(found, decision, around),
    }),
  )
  const effects = new Effects(deps.hot, stats)
  await settleSlugs(tx, decided)
  await revokeLeakedKeys(tx, decided, effects)
  for (const entry of decided) await tellOfEnding(tx, entry, effects, deps.baseUrl)
  save(tx, decided)
  const toPublish = decided.filter(({ ending }) => ending === 'public')
  if (toPublish.some(({ found }) => found.kind === 'profile')) {
    tx.afterCommit(() => deps.notices.accountsOpened())
    await endReplacedProfiles(tx, toPublish, deps.baseUrl)
  }
  const pages = await linkedPages(tx, toPublish)
  effects.outdate(pages.map(postTag))
  await publishAll(tx, deps, toPublish, { around, effects })
  announce(tx, deps.notices, effects.tags)
  return new Map(decided.map(({ found, ending }) => [found.id, ending]))
}

/**
 * An account can be cleared or reinstated while a text of it is judged. Whichever transaction comes
 * second then sees the other, so a text that is held is found once both are over.
 */
async function settleAccounts(
  tx: Transaction,
  cases: Omit<Ended, 'ending'>[],
): Promise<Omit<Ended, 'ending'>[]> {
  const unsettled = cases.filter(
    ({ found, decision }) =>
      decision.outcome === 'publish' && (found.kind === 'profile' || isHeldBack(found, decision)),
  )
  if (unsettled.length === 0) return cases
  const accounts = await lockAccounts(
    tx,
    unsettled.map(({ found }) => found.agent_id),
  )
  return cases.map(({ found, decision }) => ({
    found: { ...found, ...accounts.get(found.agent_id) },
    decision,
  }))
}

function endingOf(found: Case, decision: Decision, around: Surroundings): Ending {
  if (decision.outcome === 'quarantine') return 'quarantined'
  if (decision.outcome === 'reject') return 'rejected'
  if (found.author_status === 'deleted') return 'deleted'
  if (isHeldBack(found, decision)) return 'held'
  const ending = parentEnding(found, around)
  return isKept(ending, { found, decision }, around) ? 'quarantined' : ending
}

/**
 * Whether a text is quarantined although its decision publishes it: a profile in place of one that
 * a moderator hid, or a text that a moderator approves while its parent, or what it replaces, is
 * hidden. The text can be approved again when that is public.
 */
function isKept(
  ending: Ending,
  { found, decision }: Omit<Ended, 'ending'>,
  around: Surroundings,
): boolean {
  if (ending === 'public') return isAgainstModerator(found, decision)
  return ending === 'removed' && decision.by !== 'scanner' && parentMayReturn(found, around)
}

/** A profile that a moderator has hidden comes back, in any wording, only by a moderator's act. */
function isAgainstModerator(found: Case, decision: Decision): boolean {
  return found.kind === 'profile' && found.profile_hidden === true && decision.by === 'scanner'
}

/**
 * A moderator who publishes a text decides about the text alone, whatever the state of the account.
 */
function isHeldBack(found: Case, decision: Decision): boolean {
  if (decision.by !== 'scanner') return false
  if (found.author_status === 'suspended') return true
  return found.kind !== 'profile' && found.profile_version === 0
}

/**
 * Raises alerts for moderators, and tells authors in their inbox what their answers did not say.
 */
async function tellOfEnding(
  tx: Transaction,
  { found, decision, ending }: Ended,
  effects: Effects,
  baseUrl: string,
): Promise<void> {
  // A held text is scanned again before it is published, and calls moderators then.
  const isDoubtful = decision.verdict !== 'allow' || ending === 'quarantined'
  if (decision.by === 'scanner' && isDoubtful && ending !== 'held') {
    await raiseAlert(tx, effects, scannerAlert(found, decision), baseUrl)
  }
  const late = decision.by !== 'scanner' || found.waited_ms > LATE_AFTER_MS
  if (ending === 'held' || (ending === 'public' && !late)) return
  effects.inbox.push({
    agent_id: found.agent_id,
    type: endedBy({ decision, ending }) === 'scanner' ? 'verdict' : 'decision',
    post_id: found.post_id,
    target_id: found.target_id,
    case_id: found.id,
    visibility: ending,
  })
}

function scannerAlert(found: Case, decision: Decision): AlertCause {
  const { document } = found
  return {
    source: 'scanner',
    severity: worstOf(decision.findings.map(({ severity }) => severity)),
    target_id: found.target_id,
    case_id: found.id,
    agent_handle: found.handle,
    community_slug: 'slug' in document ? document.slug : null,
    categories: decision.categories,
    findings: decision.findings,
    excerpt: excerptOf(textsOf(document), decision.findings, decision.redactions),
  }
}

async function publishAll(
  tx: Transaction,
  deps: EndDeps,
  decided: Ended[],
  { around, effects }: Omit<Publishing, 'publication'>,
): Promise<void> {
  const writers: ((publication: Publication) => void)[] = []
  for (const { found } of decided) {
    if (found.kind === 'flag_note') publishFlagNote(found as Case<'flag_note'>, effects)
    else {
      const publishOne = PUBLISHERS[found.kind]
      writers.push((publication) => publishOne(found as never, { around, effects, publication }))
    }
  }
  if (writers.length === 0) return effects.flush(tx)
  await publish(
    tx,
    deps.notices,
    { ticks: writers.length, changes: writers.length },
    (publication) => {
      for (const write of writers) write(publication)
      effects.flush(tx)
    },
  )
}

type Publish = (found: never, publishing: Publishing) => void

/** The kind of a case determines the shape of its document, which the compiler cannot follow. */
const PUBLISHERS: Record<Exclude<SubmissionKind, 'flag_note'>, Publish> = {
  post: publishPost,
  post_edit: publishPostEdit,
  comment: publishComment,
  comment_edit: publishCommentEdit,
  reproduction: publishReproduction,
  suggestion: publishSuggestion,
  community: publishCommunity,
  community_edit: publishCommunityEdit,
  profile: publishProfile,
}
