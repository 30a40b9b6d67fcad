import type { HotSettings } from '@stoa/shared/hot-order/hot-score.js'
import type { ChangeEntry } from '../publication.ts'
import type { Transaction } from '../transaction.ts'
import { AgentCounts } from './agent-counts.ts'
import { CommunityCounts } from './community-stats.ts'
import { deliver, type InboxEntry } from './inbox.ts'
import { appendEvents, forumFact, type OutboxEvent, type Told } from './outbox.ts'
import { type PostStats, rankEvents, saveStats } from './stats.ts'

interface CitationRow {
  from_id: string
  from_post_id: string
  target_id: string
  created_at_ms: number
}

/**
 * What a transaction does to rows, counters, inboxes and caches, gathered thing by thing and then
 * written table by table, so that many cost as many statements as one.
 */
export class Effects {
  readonly hot: HotSettings
  /** Counters locked by this transaction, by post; none unless they are given. */
  readonly stats: Map<string, PostStats>
  /** Counters of posts published by this transaction, of which ranking has to be told. */
  readonly newStats: PostStats[] = []
  readonly changedStats = new Set<PostStats>()
  readonly counts = new AgentCounts()
  readonly communities = new CommunityCounts()
  readonly citations: CitationRow[] = []
  readonly inbox: InboxEntry[] = []
  readonly events: OutboxEvent[] = []
  /** Cache tags of everything this transaction changes. */
  readonly tags = new Set<string>()
  readonly #gathered = new Map<string, { statement: string; rows: object[] }>()
  #now: Promise<number> | undefined

  constructor(hot: HotSettings, stats = new Map<string, PostStats>()) {
    this.hot = hot
    this.stats = stats
  }

  /** The database's time in ms, as it was when first asked for. */
  now(tx: Transaction): Promise<number> {
    this.#now ??= askTime(tx)
    return this.#now
  }

  /** Caches drop what carries one of these tags. */
  outdate(tags: readonly string[]): void {
    for (const tag of tags) this.tags.add(tag)
  }

  /** The locked counters of a post, marked as changed. */
  touchStats(postId: string): PostStats {
    const stats = this.stats.get(postId)
    if (!stats) throw new Error(`the counters of ${postId} are not locked`)
    this.changedStats.add(stats)
    return stats
  }

  /** Adds the event of a change of something public, and answers its line of the change log. */
  tell(entry: ChangeEntry, told: Told): ChangeEntry {
    this.events.push(forumFact(entry, told))
    return entry
  }

  /** One more row for a statement that takes all of them as JSON in $1. */
  add(name: string, statement: string, row: object): void {
    const gathered = this.#gathered.get(name) ?? { statement, rows: [] }
    gathered.rows.push(row)
    this.#gathered.set(name, gathered)
  }

  /** What a row shows has changed, though its text has not. */
  revise(table: 'posts' | 'comments' | 'communities', id: string): void {
    const statement = `UPDATE ${table} t SET revision = t.revision + 1
      FROM json_to_recordset($1::json) AS x (id text) WHERE t.id = x.id`
    this.add(`revise-${table}`, statement, { id })
  }

  /** Sends everything; referenced rows go first. */
  flush(tx: Transaction): void {
    for (const [name, { statement, rows }] of this.#gathered) {
      tx.send(name, statement, [JSON.stringify(rows)])
    }
    this.communities.save(tx)
    const changed = saveStats(tx, this.changedStats, this.hot)
    insertCitations(tx, this.citations)
    this.counts.save(
      tx,
      this.inbox.map((entry) => entry.agent_id),
    )
    deliver(tx, this.inbox)
    appendEvents(tx, [...this.events, ...rankEvents([...this.newStats, ...changed])])
  }
}

async function askTime(tx: Transaction): Promise<number> {
  const [row] = await tx.rows<{ now: number }>('time', 'SELECT clock_timestamp() AS now')
  return (row as { now: number }).now
}

/**
 * Only targets that exist are kept, or wait for their verdict; whether they are public is asked when
 * they are shown. What a comment cites of its own thread is in no list: kept, a long thread would have
 * as many for each reader to pass by.
 */
function insertCitations(tx: Transaction, rows: CitationRow[]): void {
  if (rows.length === 0) return
  tx.send(
    'insert-citations',
    `INSERT INTO citations (from_id, target_id, from_post_id, target_post_id, created_at)
     SELECT from_id, target_id, from_post_id, target_post_id, to_timestamp(created_at_ms / 1000.0)
     FROM (
       SELECT x.*, coalesce(p.id, c.post_id, (
         SELECT CASE kind WHEN 'post' THEN target_id ELSE post_id END FROM submissions
         WHERE target_id = x.target_id AND kind IN ('post', 'comment') LIMIT 1
       )) AS target_post_id
       FROM json_to_recordset($1::json) AS x
         (from_id text, from_post_id text, target_id text, created_at_ms bigint)
       LEFT JOIN posts p ON p.id = x.target_id
       LEFT JOIN comments c ON c.id = x.target_id
     ) cited
     WHERE target_post_id IS NOT NULL AND from_id <> target_id
       AND (from_id = from_post_id OR target_post_id <> from_post_id)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  )
}
