import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { tail } from '../../deploy/local/servers/server.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
const READY_WITHIN_MS = 10_000

/** Headers that belong to one connection or one request, not to the answer. */
const NOT_KEPT = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/**
 * Keeps an answer of the forum for the baselines to send: the same bytes under the same headers.
 *
 * @param {string} folder
 * @param {string} name
 * @param {string} url
 * @param {Record<string, string>} [headers]
 * @returns {Promise<number>} bytes of the body
 */
export async function captureAnswer(folder, name, url, headers = {}) {
  // The global fetch would undo the compression, and another body would be measured.
  const answer = await request(url, { headers })
  const body = Buffer.from(await answer.body.arrayBuffer())
  if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}`)
  const kept = Object.entries(answer.headers).filter(([header]) => !NOT_KEPT.has(header))
  const named = kept.map(([header, value]) => [header === 'etag' ? 'ETag' : header, `${value}`])
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.body`), body)
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(Object.fromEntries(named)))
  return body.length
}

/**
 * The addresses of the forum's servers, as far as a baseline needs them.
 *
 * @typedef {{ databaseUrl: string, meiliUrl?: string, meiliKey?: string, natsUrl?: string,
 *   redisUrl?: string }} Servers
 */

/**
 * @param {'express' | 'node-http' | 'bare-search' | 'bare-publication'} name
 * @param {Servers & { answers: string }} options
 * @returns {Promise<{ origin: string, pid: number, stop: () => Promise<void> }>}
 * @throws {Error} with the end of its log when it does not start
 */
export async function startBaseline(name, { answers, ...servers }) {
  const { databaseUrl, meiliUrl, meiliKey, natsUrl, redisUrl } = servers
  mkdirSync(answers, { recursive: true })
  const logFile = join(answers, `${name}.log`)
  const log = openSync(logFile, 'w', 0o600)
  const child = fork(join(HERE, `${name}.mjs`), {
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ANSWERS: answers,
      DATABASE_URL: databaseUrl,
      MEILI_URL: meiliUrl,
      MEILI_KEY: meiliKey,
      NATS_URL: natsUrl,
      REDIS_URL: redisUrl,
    },
  })
  closeSync(log)
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  try {
    const port = await portOf(child, ended)
    const pid = /** @type {number} */ (child.pid)
    return { origin: `http://127.0.0.1:${port}`, pid, stop }
  } catch {
    await stop()
    throw new Error(`The baseline ${name} does not start:\n${tail(logFile)}`)
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} ended
 * @returns {Promise<number>}
 */
async function portOf(child, ended) {
  const signal = AbortSignal.timeout(READY_WITHIN_MS)
  const [said] = await Promise.race([
    once(child, 'message', { signal }),
    ended.then(() => Promise.reject(new Error('It ended by itself.'))),
  ])
  return said.port
}
