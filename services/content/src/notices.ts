import type { Bus } from '@stoa/shared/bus/bus.js'
import { CHANGES_APPENDED, INVALIDATE } from '@stoa/shared/contracts/events.js'
import { piecesOf } from '@stoa/shared/process/pieces.js'
import type { Transaction } from './transaction.ts'
import type { Worker } from './workers/loop.ts'
import type { Verdicts } from './writes/await-verdict.ts'

/**
 * Messages sent after a commit to the processes that are listening. None is stored, and each has a
 * slower safety net. What this process can do itself does not go over the bus.
 */
export interface Notices {
  /** Caches drop the entries that carry one of these tags. */
  invalidate(tags: string[]): void
  /** The outbox has something to send. */
  wakeRelay(): void
  /** Accounts were cleared or reinstated: texts held only for their account may go on. */
  accountsOpened(): void
  /** These cases have ended: the writes that wait for them may answer. */
  decided(caseIds: string[]): void
  /** The public change log has grown to this sequence number. */
  changesAppended(seq: number): void
}

interface Listeners {
  verdicts: Verdicts
  releases: Worker
  wakeRelay: () => void
}

/** About 100 KB of tags: an edit of a much cited post has more tags than one message may hold. */
const TAGS_TOLD_TOGETHER_MAX = 1_000

export function createNotices(bus: Bus, { verdicts, releases, wakeRelay }: Listeners): Notices {
  return {
    invalidate: (tags) => {
      for (const some of piecesOf(tags, TAGS_TOLD_TOGETHER_MAX))
        bus.tell(INVALIDATE, { tags: some })
    },
    wakeRelay,
    accountsOpened: () => releases.wake(),
    decided: (caseIds) => verdicts.decided(caseIds),
    changesAppended: (seq) => bus.tell(CHANGES_APPENDED, { seq }),
  }
}

const announced = new WeakMap<Transaction, Set<string>>()

/**
 * The tags that a transaction invalidates, for its answer: the gateway drops their entries before
 * it passes the answer on, because the notice may arrive a moment later.
 */
export function announcedTags(tx: Transaction): string[] {
  return [...(announced.get(tx) ?? [])]
}

/** After the commit, invalidates these tags in caches and wakes the relay, once per transaction. */
export function announce(tx: Transaction, notices: Notices, tags: Iterable<string>): void {
  const all = announced.get(tx) ?? announceAtCommit(tx, notices)
  for (const tag of tags) all.add(tag)
}

function announceAtCommit(tx: Transaction, notices: Notices): Set<string> {
  const all = new Set<string>()
  announced.set(tx, all)
  tx.afterCommit(() => {
    if (all.size > 0) notices.invalidate([...all])
  })
  tx.afterCommit(() => notices.wakeRelay())
  return all
}

/** Wakes the writes that wait for these cases. */
export function announceDecided(tx: Transaction, notices: Notices, caseIds: string[]): void {
  if (caseIds.length > 0) tx.afterCommit(() => notices.decided(caseIds))
}

/** For a command line, which has no bus: the slower safety nets do the work. */
export const SILENT: Notices = {
  invalidate: () => {},
  wakeRelay: () => {},
  accountsOpened: () => {},
  decided: () => {},
  changesAppended: () => {},
}
