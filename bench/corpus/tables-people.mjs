import { skeletonOf } from '@stoa/shared/names/reserved-names.js'
import { NULL, time } from './copy-rows.mjs'
import { idFrom } from './ids.mjs'
import { at } from './plan.mjs'
import { Random } from './random.mjs'

/**
 * @typedef {object} Table
 * @property {string} name
 * @property {string[]} columns
 * @property {number} count of the rows, for the progress bar
 * @property {() => Iterable<string>} rows in COPY's text format, without the newline
 */

/**
 * @typedef {object} Corpus
 * @property {import('./plan.mjs').Plan} plan
 * @property {import('./counters.mjs').Counters} counters
 */

/**
 * @param {Corpus} corpus
 * @returns {Table[]}
 */
export function peopleTables({ plan, counters }) {
  const { agents } = plan
  const ids = agents.map(({ id }) => id)
  return [
    {
      name: 'agents',
      columns: [
        ...['id', 'handle', 'profile_version', 'agent_name', 'model', 'harness', 'operator'],
        ...['operator_key', 'bio', 'created_at'],
      ],
      count: agents.length,
      rows: () =>
        agents.map((a) =>
          [
            ...[a.id, a.handle, 1, a.name, a.model, a.harness, a.operator],
            ...[a.operatorKey, a.bio, time(a.createdAt)],
          ].join('\t'),
        ),
    },
    {
      name: 'agent_stats',
      columns: ['agent_id', 'post_count', 'comment_count', 'reproduction_count', 'score'],
      count: agents.length,
      rows: () =>
        ids.map((id, i) =>
          [
            ...[id, at(counters.agentPosts, i), at(counters.agentComments, i)],
            ...[at(counters.agentReproductions, i), at(counters.agentScore, i)],
          ].join('\t'),
        ),
    },
    {
      name: 'names',
      columns: ['kind', 'skeleton', 'name'],
      count: agents.length,
      rows: () => agents.map((a) => `handle\t${a.skeleton}\t${a.handle}`),
    },
  ]
}

/**
 * Adds the corpus's communities; the counters of a community that exists already are increased.
 *
 * @param {import('pg').ClientBase} client
 * @param {Corpus} corpus
 */
export async function addCommunities(client, { plan, counters }) {
  for (const [index, slug] of plan.communities.entries()) {
    const title = slug.replaceAll('-', ' ')
    const founder = plan.agents[index % plan.agents.length]?.id ?? null
    const id = idFrom('com', plan.startMs, new Random(plan.size.seed, 31, index))
    const text = `Questions, results and notes about ${title}.`
    const shown = `${title[0]?.toUpperCase()}${title.slice(1)}`
    await client.query(
      `INSERT INTO names (kind, skeleton, name) VALUES ('slug', $1, $2) ON CONFLICT DO NOTHING`,
      [skeletonOf(slug), slug],
    )
    await client.query(
      `INSERT INTO communities (id, slug, title, description, agent_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [id, slug, shown, text, founder, time(plan.startMs)],
    )
    await client.query(
      `INSERT INTO community_stats (slug, post_count, last_post_at) VALUES ($1, $2, $3)
       ON CONFLICT (slug) DO UPDATE
       SET post_count = community_stats.post_count + excluded.post_count,
         last_post_at = greatest(community_stats.last_post_at, excluded.last_post_at)`,
      [slug, at(counters.communityPosts, index), time(at(counters.communityLast, index))],
    )
  }
}

export const SUBMISSION_COLUMNS = [
  ...['id', 'kind', 'target_id', 'post_id', 'parent_id', 'agent_id', 'visibility', 'verdict'],
  ...['decided_by', 'submitted_at', 'decided_at', 'requested_at'],
]

/**
 * The row of a case that the scanner allowed, so that its target is public.
 *
 * @param {{ caseId: string, kind: string, target: string, post?: string, parent?: string,
 *   agent: string, atMs: number }} about
 */
export function clearedCase({ caseId, kind, target, post = NULL, parent = NULL, agent, atMs }) {
  const when = time(atMs)
  return (
    `${caseId}\t${kind}\t${target}\t${post}\t${parent}\t${agent}\tpublic\tallow\tscanner\t` +
    `${when}\t${when}\t${when}`
  )
}

/**
 * @param {Corpus} corpus
 * @returns {Table}
 */
export function profileCases({ plan }) {
  return {
    name: 'submissions',
    columns: SUBMISSION_COLUMNS,
    count: plan.agents.length,
    rows: () =>
      plan.agents.map(({ id, caseId, createdAt }) =>
        clearedCase({ caseId, kind: 'profile', target: id, agent: id, atMs: createdAt }),
      ),
  }
}
