/**
 * The baseline for the forum's answers: a bare Express application that sends bytes it holds, a
 * 304, one row of PostgreSQL or its newest rows, and inserts rows. It does nothing else: no ETag of
 * its own, no `X-Powered-By`, no logging.
 */
import express from 'express'
import pg from 'pg'
import { announce, readAnswers } from './answers.mjs'

const app = express()
app.disable('x-powered-by')
app.disable('etag')

for (const { name, headers, body } of readAnswers()) {
  app.get(`/bytes/${name}`, (_req, res) => {
    res.set(headers).send(body)
  })
  app.get(`/not-modified/${name}`, (_req, res) => {
    res.set({ ETag: headers.ETag }).status(304).end()
  })
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 })
const ONE_ROW = `SELECT id, title, kind, summary, body_md, tags, created_at FROM posts WHERE id = $1`

app.get('/row/:id', async (req, res) => {
  const { rows } = await pool.query({ name: 'one', text: ONE_ROW, values: [req.params.id] })
  res.json(rows[0])
})

app.post('/row', express.json({ limit: '256kb' }), async (req, res) => {
  await pool.query({
    name: 'insert',
    text: 'INSERT INTO bench_rows (title, body_md) VALUES ($1, $2)',
    values: [req.body.title ?? '', req.body.body_md],
  })
  res.status(201).json(req.body)
})

app.post('/rows', express.json({ limit: '256kb' }), async (req, res) => {
  const { rows } = await pool.query({
    name: 'insert-dated',
    text: 'INSERT INTO bench_rows (title, body_md) VALUES ($1, $2) RETURNING id, created_at',
    values: [req.body.title, req.body.body_md],
  })
  res.status(201).json({ post: rows[0] })
})

app.get('/rows', async (_req, res) => {
  const { rows } = await pool.query({
    name: 'newest',
    text: 'SELECT id, title, created_at FROM bench_rows ORDER BY id DESC LIMIT 20',
  })
  res.json({ items: rows })
})

announce(app.listen(0, '127.0.0.1'))
