import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { withDeadline } from '@stoa/shared/process/with-deadline.js'
import { type Config, MeilisearchApiError, type MeilisearchErrorResponse } from 'meilisearch'

/** The most connections that searches may use. */
export const SEARCHES_AT_ONCE_MAX = 32
/** Further requests wait for a connection. Indexing finds one even while every search hangs. */
const CONNECTIONS_MAX = SEARCHES_AT_ONCE_MAX + 8
const ANSWER_TIMEOUT_MS = 10_000
/** Meilisearch closes a connection after five seconds without a request. */
const IDLE_MS = 4_000

export interface MeiliHttp {
  send: NonNullable<Config['httpClient']>
  /** The time by Meilisearch's clock, as its last answer told; before one, by this computer's. */
  now(): number
  /** Ends the requests under way, and refuses further ones. */
  close(): void
}

/**
 * The client's transport over kept-alive connections of Node's own. The global fetch takes about 40
 * ms longer for each POST to Meilisearch, which is more than most searches take, and undici as a
 * package takes 20 MB of memory.
 *
 * `send` returns the parsed body, or undefined if there is none. It throws MeilisearchApiError for
 * a status of 400 or more, and the error of the network or of the request's signal.
 */
export function meiliHttp(answerTimeoutMs = ANSWER_TIMEOUT_MS): MeiliHttp {
  const options = { keepAlive: true, maxSockets: CONNECTIONS_MAX, timeout: IDLE_MS }
  const plain = { request: http.request, agent: new http.Agent(options) }
  const secure = { request: https.request, agent: new https.Agent(options) }
  const underWay = new Set<http.ClientRequest>()
  let isClosed = false
  let startedAt = Date.now() - performance.now()
  /** Resolves with the head of the answer; its body is still to be read. */
  const exchange = (url: URL, { body, ...options }: Exchange) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      if (isClosed) return reject(closed())
      const { request, agent } = url.protocol === 'https:' ? secure : plain
      const asked = request(url, { ...options, agent }, resolve)
      underWay.add(asked)
      asked
        .on('error', reject)
        .on('close', () => underWay.delete(asked))
        .end(body)
    })
  return {
    send: async (input, init = {}) => {
      const url = new URL(String(input))
      const send = async (signal: AbortSignal) => {
        const answer = await exchange(url, {
          method: init.method ?? 'GET',
          headers: Object.fromEntries(new Headers(init.headers)),
          signal,
          body: init.body as string | Buffer | undefined,
        })
        const toldAt = Date.parse(answer.headers.date ?? '')
        if (!Number.isNaN(toldAt)) startedAt = toldAt - performance.now()
        return { status: answer.statusCode ?? 0, body: await text(answer) }
      }
      const { status, body } = await (init.signal
        ? send(init.signal)
        : withDeadline(answerTimeoutMs, send))
      if (status >= 400) throw apiError(status, body)
      return body === '' ? undefined : JSON.parse(body)
    },
    now: () => startedAt + performance.now(),
    close: () => {
      isClosed = true
      for (const asked of underWay) asked.destroy(closed())
      plain.agent.destroy()
      secure.agent.destroy()
    },
  }
}

interface Exchange extends http.RequestOptions {
  body: string | Buffer | undefined
}

function closed(): Error {
  return new Error('the connections to Meilisearch are closed')
}

function apiError(status: number, body: string): MeilisearchApiError {
  return new MeilisearchApiError(new Response(null, { status }), parsedError(body))
}

/** A proxy in front of Meilisearch answers with pages of its own. */
function parsedError(body: string): MeilisearchErrorResponse | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    return parsed !== null && typeof parsed === 'object'
      ? (parsed as MeilisearchErrorResponse)
      : undefined
  } catch {
    return undefined
  }
}
