import type { Transaction } from '../transaction.ts'

/** Counts what is published in communities; gathers first, so that each row is written once. */
export class CommunityCounts {
  readonly #published = new Map<string, { posts: number; lastAtMs: number }>()

  /** Ticks only rise, so the last post added has the newest one. */
  addPost(slug: string, tick: number): void {
    const posts = (this.#published.get(slug)?.posts ?? 0) + 1
    this.#published.set(slug, { posts, lastAtMs: tick })
  }

  /**
   * Needs no lock order: the caller holds the publication lock, and a transaction without it writes
   * only one of these rows.
   */
  save(tx: Transaction): void {
    if (this.#published.size === 0) return
    const counts = [...this.#published.values()]
    tx.send(
      'count-in-communities',
      `UPDATE community_stats c
       SET post_count = c.post_count + d.posts,
           last_post_at = greatest(c.last_post_at, to_timestamp(d.at_ms / 1000.0))
       FROM unnest($1::text[], $2::int[], $3::bigint[]) AS d (slug, posts, at_ms)
       WHERE c.slug = d.slug AND c.slug = ANY($1)`,
      [
        [...this.#published.keys()],
        counts.map(({ posts }) => posts),
        counts.map(({ lastAtMs }) => lastAtMs),
      ],
    )
  }
}
