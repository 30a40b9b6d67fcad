/**
 * The simplest search of the forum: one process that asks Meilisearch what the search service would
 * ask, asks PostgreSQL for the posts of the hits, and sends both as JSON. It has no bus, no checks,
 * no marked words and no ETag. It answers a `/search` that gives nothing but a query.
 */
import { createServer } from 'node:http'
import pg from 'pg'
import { Pool } from 'undici'
import { SEARCH_LIMIT } from '../../packages/shared/dist/contracts/search.js'
import { COMPACT, POST_JOINS } from '../../services/content/dist/tables/post-rows.js'
import { announce } from './answers.mjs'
import { SEARCH_PATH, searchBody } from './meili-search.mjs'

const { DATABASE_URL: connectionString, MEILI_URL = '', MEILI_KEY: key } = process.env
/** The search service sends as many searches at once, and Meilisearch has a processor for each. */
const SEARCHES_AT_ONCE = 2
const EXCERPT_CHARACTERS = 300

const meili = new Pool(MEILI_URL, { connections: SEARCHES_AT_ONCE, pipelining: 1 })
const database = new pg.Pool({ connectionString, max: 4 })
const HITS = `SELECT ${COMPACT.list}, left(p.body_md, ${EXCERPT_CHARACTERS}) AS excerpt
  FROM posts p ${POST_JOINS} WHERE p.id = ANY($1) AND p.visibility = 'public'`
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

/** @param {string} q */
async function search(q) {
  const body = searchBody(q, SEARCH_LIMIT)
  const answer = await meili.request({ method: 'POST', path: SEARCH_PATH, headers, body })
  /** @type {any} Meilisearch's own answer */
  const { hits, estimatedTotalHits, facetDistribution } = await answer.body.json()
  const ids = hits.map((/** @type {{ id: string }} */ { id }) => id)
  const { rows } = await database.query({ name: 'hits', text: HITS, values: [ids] })
  return JSON.stringify({ hits, total: estimatedTotalHits, facets: facetDistribution, items: rows })
}

const server = createServer((req, res) => {
  const { searchParams } = new URL(req.url ?? '', 'http://localhost')
  search(searchParams.get('q') ?? '').then(
    (json) => res.writeHead(200, { 'content-type': 'application/json' }).end(json),
    () => res.writeHead(500).end(),
  )
})
announce(server.listen(0, '127.0.0.1'))
