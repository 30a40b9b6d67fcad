import { startBaseline } from '../baselines/start.mjs'
import { alternate } from '../figures/alternate.mjs'
import { atLeast, atMost, lineOf } from '../figures/line.mjs'
import { column, cpuByProgram, measureLoad, refuseFailures } from '../figures/measure.mjs'
import { totalOf, withProcessorTime } from '../figures/processes.mjs'
import { short, spreadOf } from '../figures/stats.mjs'
import { untilDrained } from '../forum/drain.mjs'
import { closedLoop } from '../load/closed-loop.mjs'
import { openLoop, TAIL_SECONDS_MIN } from '../load/open-loop.mjs'
import { prepared, writers } from '../load/writes.mjs'

/** @typedef {import('../forum/context.mjs').Context} Context */

const CLIENTS = 32
/**
 * Requests prepared for each second of a round; a machine fast enough to use them up makes the rest
 * during the round.
 */
export const READY_PER_SECOND = 600
/** Posts per second: half of the rate that is required, even if the machine can take more. */
export const HALF_OF_REACH = 150
const SCAN_AND_INDEX = new Set(['scanner', 'search', 'meilisearch'])

/**
 * Measures posts by 32 clients against bare Express that inserts one row, then posts at half that
 * rate and at half of the required rate.
 *
 * @param {Context} context
 */
export async function createPost(context) {
  const { forum, folder, rounds, seconds } = context
  const work = 'create post, 32 clients'
  const { post } = writers(context)
  const options = { answers: `${folder}/answers`, databaseUrl: forum.databaseUrl }
  const express = await startBaseline('express', options)
  const theirs = new Map([
    ['express', express.pid],
    ['postgres', /** @type {number} */ (forum.pids.get('postgres'))],
  ])
  const asRow = () => ({ ...post(), path: '/row' })
  try {
    const found = await alternate(
      rounds,
      {
        forum: () => writeRound(context, prepared(post, seconds * READY_PER_SECOND)),
        express: () => {
          const next = prepared(asRow, seconds * READY_PER_SECOND * 3)
          const load = { origin: express.origin, connections: CLIENTS, seconds }
          return measureLoad(theirs, () => closedLoop(load, next))
        },
      },
      context.under(work),
    )
    const ours = found.forum ?? []
    const bare = found.express ?? []
    const without = ours.map(({ cpu, requests }) => {
      return totalOf(cpu, (name) => !SCAN_AND_INDEX.has(name)) / requests
    })
    const rate = short(spreadOf(column(bare, 'perSecond')).median)
    const cpu = short(spreadOf(column(bare, 'cpuMs')).median)
    return [
      lineOf(work, 'posts/s', column(ours, 'perSecond'), {
        reach: atLeast(300, '/s'),
        baseline: `Express + one INSERT ${rate}`,
      }),
      lineOf(work, 'CPU ms without scan, indexing', without, { reach: atMost(2) }),
      lineOf(work, 'CPU ms all in', column(ours, 'cpuMs'), {
        reach: atMost(5),
        cpu: cpuByProgram(ours),
        baseline: `Express + one INSERT ${cpu}`,
      }),
      lineOf(work, 'p99 ms', column(ours, 'p99')),
      await atRate(context, 'create post, half load', halfRate(ours), post, 60),
      await atRate(context, 'create post, half of the rate asked for', HALF_OF_REACH, post),
    ]
  } finally {
    await express.stop()
  }
}

/** @param {Context} context */
export async function createComment(context) {
  const { comment } = writers(context)
  return writeCase(context, 'create comment, 32 clients', comment, { perSecond: 400 })
}

/** @param {Context} context */
export async function castVotes(context) {
  const { voteFew, voteSpread } = writers(context)
  const reach = { perSecond: 1_200, cpuMs: 1 }
  return [
    ...(await writeCase(context, 'vote, 500 voters on 20 posts', voteFew, reach)),
    ...(await writeCase(context, 'vote, spread over the posts', voteSpread, reach)),
  ]
}

/**
 * @param {Context} context
 * @param {string} work
 * @param {() => import('../load/closed-loop.mjs').Ask} make
 * @param {{ perSecond: number, cpuMs?: number }} reach
 */
async function writeCase(context, work, make, { perSecond, cpuMs }) {
  const { rounds, seconds } = context
  const round = () => writeRound(context, prepared(make, seconds * READY_PER_SECOND * 3))
  const { forum = [] } = await alternate(rounds, { forum: round }, context.under(work))
  return [
    lineOf(work, 'per second', column(forum, 'perSecond'), { reach: atLeast(perSecond, '/s') }),
    lineOf(work, 'CPU ms all in', column(forum, 'cpuMs'), {
      ...(cpuMs === undefined ? {} : { reach: atMost(cpuMs) }),
      cpu: cpuByProgram(forum),
    }),
    lineOf(work, 'p99 ms', column(forum, 'p99')),
    await atRate(context, `${work.split(',')[0]}, half load`, halfRate(forum), make),
  ]
}

/**
 * Writes for one round, and counts all processor time until the last document is indexed as the
 * cost of these writes.
 *
 * @param {Context} context
 * @param {() => import('../load/closed-loop.mjs').Ask} next
 */
export async function writeRound({ forum, seconds }, next) {
  const load = { origin: forum.url, connections: CLIENTS, seconds }
  const { result, cpu } = await withProcessorTime(forum.pids, async () => {
    const written = await closedLoop(load, next)
    await untilDrained(forum)
    return written
  })
  refuseFailures(result)
  return { ...result, cpu, cpuMs: totalOf(cpu) / result.requests }
}

/**
 * @param {Context} context
 * @param {string} work
 * @param {number} rate requests per second
 * @param {() => import('../load/closed-loop.mjs').Ask} make
 * @param {number} [reachMs]
 */
async function atRate(context, work, rate, make, reachMs) {
  const { forum, rounds } = context
  const seconds = Math.max(TAIL_SECONDS_MIN, context.seconds)
  const { paced = [] } = await alternate(
    rounds,
    {
      paced: async () => {
        const next = prepared(make, Math.ceil(rate * seconds))
        const result = await openLoop({ origin: forum.url, rate, seconds }, next)
        refuseFailures(result)
        return result
      },
    },
    context.under(work),
  )
  await untilDrained(forum)
  return lineOf(work, `p99 ms at ${short(rate)}/s`, column(paced, 'p99'), {
    ...(reachMs === undefined ? {} : { reach: atMost(reachMs) }),
  })
}

/** @param {{ perSecond: number }[]} full */
export function halfRate(full) {
  return Math.max(1, spreadOf(column(full, 'perSecond')).median / 2)
}
