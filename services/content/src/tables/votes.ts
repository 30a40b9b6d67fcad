import { ID_PREFIXES } from '@stoa/shared/identifiers/ids.js'
import type { Query, Transaction } from '../transaction.ts'
import { lockStats, type PostStats, tryLockStats } from './stats.ts'

export interface VoteRow {
  id: string
  agent_id: string
  target_id: string
  value: -1 | 0 | 1
  created_at: number
  updated_at: number
}

/** Something that can be voted on, locked until COMMIT. */
export interface Votable {
  id: string
  agent_id: string
  /** Whether strangers see it now; everything that has a row here was public once. */
  visible: boolean
  score: number
  /** The post that it is or belongs to; null for suggestions. */
  post_id: string | null
  /** Its counters, if it is a post. */
  stats?: PostStats
}

interface Votables {
  locked: Map<string, Votable>
  /** Ids of targets that exist but are locked by another transaction. */
  held: Set<string>
}

/**
 * Locks posts, then comments, then suggestions, each in id order, as every transaction does.
 * Without `waits`, it locks only rows that no other transaction has locked.
 */
export async function lockVotables(
  tx: Transaction,
  ids: string[],
  waits: boolean,
): Promise<Votables> {
  const of = (prefix: string) => ids.filter((id) => id.startsWith(prefix))
  const [posts, comments, suggestions] = await Promise.all([
    lockPosts(tx, of(ID_PREFIXES.post), waits),
    lockRows(tx, 'comments', of(ID_PREFIXES.comment), waits),
    lockRows(tx, 'suggestions', of(ID_PREFIXES.suggestion), waits),
  ])
  const locked = new Map([...posts, ...comments, ...suggestions].map((row) => [row.id, row]))
  const others = waits ? [] : ids.filter((id) => !locked.has(id))
  return { locked, held: others.length > 0 ? await findVotables(tx, others) : new Set() }
}

async function lockPosts(tx: Transaction, ids: string[], waits: boolean): Promise<Votable[]> {
  const posts = await (waits ? lockStats(tx, ids) : tryLockStats(tx, ids))
  return [...posts.values()].map((stats) => {
    const { post_id: id, agent_id, visible, score } = stats
    return { id, agent_id, visible, score, post_id: id, stats }
  })
}

const LOCK = {
  comments: `
    SELECT c.id, c.agent_id, c.score, c.post_id,
      c.visibility = 'public' AND p.visibility = 'public' AS visible
    FROM comments c JOIN posts p ON p.id = c.post_id
    WHERE c.id = ANY($1) ORDER BY c.id FOR UPDATE OF c`,
  suggestions: `
    SELECT id, agent_id, score, NULL AS post_id, visibility = 'public' AS visible
    FROM suggestions WHERE id = ANY($1) ORDER BY id FOR UPDATE`,
}

async function lockRows(
  tx: Transaction,
  table: keyof typeof LOCK,
  ids: string[],
  waits: boolean,
): Promise<Votable[]> {
  if (ids.length === 0) return []
  return waits
    ? tx.rows<Votable>(`lock-voted-${table}`, LOCK[table], [ids])
    : tx.rows<Votable>(`try-lock-voted-${table}`, `${LOCK[table]} SKIP LOCKED`, [ids])
}

async function findVotables(query: Query, ids: string[]): Promise<Set<string>> {
  const rows = await query.rows<{ id: string }>(
    'find-votables',
    `SELECT post_id AS id FROM post_stats WHERE post_id = ANY($1)
     UNION ALL SELECT id FROM comments WHERE id = ANY($1)
     UNION ALL SELECT id FROM suggestions WHERE id = ANY($1)`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

interface NewVote {
  id: string
  agent_id: string
  target_id: string
  value: number
}

/**
 * Writes votes and answers each with its value before, 0 if there was none. The targets are locked,
 * so no other vote on them can come in between.
 */
export function upsertVotes(
  tx: Transaction,
  votes: NewVote[],
): Promise<(VoteRow & { was: number })[]> {
  return tx.rows(
    'upsert-votes',
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::smallint[])
         AS g (id, agent_id, target_id, value)
     ), before AS (
       SELECT v.agent_id, v.target_id, v.value FROM given g JOIN votes v USING (agent_id, target_id)
     ), written AS (
       INSERT INTO votes AS v (id, agent_id, target_id, value, created_at, updated_at)
       SELECT id, agent_id, target_id, value, date_trunc('milliseconds', clock_timestamp()),
         date_trunc('milliseconds', clock_timestamp())
       FROM given
       ON CONFLICT (agent_id, target_id) DO UPDATE
       SET value = excluded.value,
         updated_at = CASE WHEN v.value = excluded.value THEN v.updated_at
           ELSE excluded.updated_at END
       RETURNING *
     )
     SELECT w.*, coalesce(b.value, 0) AS was
     FROM written w LEFT JOIN before b USING (agent_id, target_id)`,
    [
      votes.map((vote) => vote.id),
      votes.map((vote) => vote.agent_id),
      votes.map((vote) => vote.target_id),
      votes.map((vote) => vote.value),
    ],
  )
}

export function findVotes(
  query: Query,
  keys: { agent_id: string; target_id: string }[],
): Promise<VoteRow[]> {
  return query.rows(
    'find-votes',
    `SELECT v.* FROM unnest($1::text[], $2::text[]) AS g (agent_id, target_id)
     JOIN votes v USING (agent_id, target_id)`,
    [keys.map((key) => key.agent_id), keys.map((key) => key.target_id)],
  )
}

/** Adds to the scores of comments or suggestions, whose rows are locked. */
export function addToScores(
  tx: Transaction,
  table: 'comments' | 'suggestions',
  deltas: [id: string, delta: number][],
): void {
  if (deltas.length === 0) return
  tx.send(
    `score-${table}`,
    `UPDATE ${table} t SET score = t.score + d.delta
     FROM unnest($1::text[], $2::int[]) AS d (id, delta) WHERE t.id = d.id`,
    [deltas.map(([id]) => id), deltas.map(([, delta]) => delta)],
  )
}
