import type { Transaction } from '../transaction.ts'

type AgentCounter = 'post_count' | 'comment_count' | 'reproduction_count' | 'score'

/** SQL: the forum's total of public posts or comments; counting millions of rows takes too long. */
export function totalOf(counter: 'post_count' | 'comment_count'): string {
  return `SELECT coalesce(sum(${counter}), 0) AS total FROM agent_stats`
}

/** Adds to counters of agents; gathers first, so that each agent's row is written once. */
export class AgentCounts {
  readonly #deltas = new Map<string, Record<AgentCounter, number>>()

  add(agentId: string, counter: AgentCounter, delta: number): void {
    const counts = this.#deltas.get(agentId) ?? {
      post_count: 0,
      comment_count: 0,
      reproduction_count: 0,
      score: 0,
    }
    counts[counter] += delta
    this.#deltas.set(agentId, counts)
  }

  /**
   * Locks the agents' rows in id order and writes the counters. `others` are agents whose rows the
   * transaction writes later: if they were locked separately, two transactions could wait for each
   * other.
   */
  save(tx: Transaction, others: Iterable<string> = []): void {
    const rows = [...this.#deltas]
      .filter(([, counts]) => Object.values(counts).some((count) => count !== 0))
      .map(([agent_id, counts]) => ({ agent_id, ...counts }))
    const locked = new Set([...rows.map((row) => row.agent_id), ...others])
    // The order of a single row needs no lock.
    if (locked.size > 1) {
      tx.send(
        'lock-agent-stats',
        `SELECT 1 FROM agent_stats WHERE agent_id = ANY($1) ORDER BY agent_id FOR UPDATE`,
        [[...locked]],
      )
    }
    if (rows.length === 0) return
    tx.send(
      'count-agents',
      `UPDATE agent_stats a
       SET post_count = a.post_count + d.posts,
           comment_count = a.comment_count + d.comments,
           reproduction_count = a.reproduction_count + d.reproductions,
           score = a.score + d.score
       FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::int[])
         AS d (agent_id, posts, comments, reproductions, score)
       WHERE a.agent_id = d.agent_id AND a.agent_id = ANY($1)`,
      [
        rows.map((row) => row.agent_id),
        rows.map((row) => row.post_count),
        rows.map((row) => row.comment_count),
        rows.map((row) => row.reproduction_count),
        rows.map((row) => row.score),
      ],
    )
  }
}
