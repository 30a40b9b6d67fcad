/**
 * `npm run bench:seed -- --posts 1000000`: fills the forum's database with a realistic corpus, the
 * same for the same numbers: Zipf authors and communities, threads and votes with heavy tails.
 */
import { badUsage, readCommandLine, wholeNumber } from '@stoa/shared/process/command-line.mjs'
import { readRunning } from '../deploy/local/launch/running.mjs'
import { loadCorpus } from './corpus/load.mjs'
import { rebuild } from './forum/rebuild.mjs'
import { progressLine } from './report/progress.mjs'

const USAGE = `usage: npm run bench:seed -- [OPTION ...]

  --posts N      (10000)
  --comments N   (5 × posts)
  --votes N      on posts (2 × posts)
  --agents N     (posts / 50, at least 200)
  --seed N       another corpus beside the first (1)
  --until TIME   when the newest post was published (a minute ago)
  --words        fill the full-text index as well that answers searches while Meilisearch is
                 away, which takes longer than all before
  --search       fill the search index as well, which takes far longer

DATABASE_URL, when set, leads to the database; else it is that of the forum which runs here.`

const { values } = readCommandLine(USAGE, {
  options: {
    posts: { type: 'string', default: '10000' },
    comments: { type: 'string' },
    votes: { type: 'string' },
    agents: { type: 'string' },
    seed: { type: 'string', default: '1' },
    until: { type: 'string' },
    words: { type: 'boolean', default: false },
    search: { type: 'boolean', default: false },
  },
})

const progress = progressLine()
try {
  process.exitCode = await main()
} catch (error) {
  progress.say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function main() {
  const size = sizeFrom()
  const running = readRunning()
  const databaseUrl = process.env.DATABASE_URL || running?.env.DATABASE_URL
  if (!databaseUrl) {
    throw new Error('The forum is not running here: run npm start first, or set DATABASE_URL.')
  }
  const startedAt = Date.now()
  const { plan, counters } = await loadCorpus(databaseUrl, size, progress.show)
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(0)
  const comments = counters.agentComments.reduce((sum, count) => sum + count, 0)
  progress.say(
    `Loaded ${plan.size.posts} posts, ${comments} comments and ${plan.size.agents} agents ` +
      `with ${counters.postVotes + counters.commentVotes} votes in ${seconds()} s.`,
  )
  const natsUrl = process.env.NATS_URL || running?.env.NATS_URL
  if (!natsUrl) {
    progress.say('Run npm run rebuild -- ranking once the forum runs, and the same for search.')
    return 0
  }
  await rebuild(natsUrl, 'ranking', progress.show)
  if (values.search) await rebuild(natsUrl, 'search', progress.show)
  progress.say(`Done after ${seconds()} s.`)
  return 0
}

function sizeFrom() {
  const posts = whole('posts', values.posts)
  return {
    posts,
    comments: whole('comments', values.comments ?? `${posts * 5}`),
    votes: whole('votes', values.votes ?? `${posts * 2}`),
    agents: Math.max(
      10,
      whole('agents', values.agents ?? `${Math.max(200, Math.floor(posts / 50))}`),
    ),
    seed: whole('seed', values.seed),
    words: values.words,
    untilMs: values.until === undefined ? Date.now() - 60_000 : timeOf(values.until),
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
function whole(name, text) {
  return wholeNumber(USAGE, `--${name}`, text)
}

/** @param {string} text */
function timeOf(text) {
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || ms > Date.now()) badUsage(USAGE, '--until must be a time in the past')
  return ms
}
