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
 * What a transaction changes in rows, counters, inboxes and caches. Changes are gathered thing by
 * thing and written table by table, so that many things take as many statements as one.
 */
export class Effects {
  readonly hot: HotSettings
  /** Counters locked by this transaction, by post id; empty unless the caller passes them. */
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

  /** Makes caches drop every entry that carries one of these tags. */
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

  /** Adds a row for a statement that takes all its rows as JSON in $1. */
  add(name: string, statement: string, row: object): void {
    const gathered = this.#gathered.get(name) ?? { statement, rows: [] }
    gathered.rows.push(row)
    this.#gathered.set(name, gathered)
  }

  /** Raises the revision of a row that is shown differently although its text is the same. */
  revise(table: 'posts' | 'comments' | 'communities', id: string): void {
    const statement = `UPDATE ${table} t SET revision = t.revision + 1
      FROM json_to_recordset($1::json) AS x (id text) WHERE t.id = x.id`
    this.add(`revise-${table}`, statement, { id })
  }

  /** Sends all that was gathered; rows that others refer to go first. */
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
 * Stores citations of targets that exist or wait for their verdict; whether a target is public is
 * checked when the citation is shown. A comment's citations within its own thread are not stored:
 * no list shows them, and each reader of a long thread would have to skip them.
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
