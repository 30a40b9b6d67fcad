import { randomUUID } from 'node:crypto'
import { request } from 'undici'

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers as any client of JSON would.
export type Json = any

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Json
  text: string
}

interface CallOptions {
  key?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

type Hear = (method: string, url: string, answer: Answer) => void
let hear: Hear = () => {}

/** Calls `by` with every answer from now on. */
export function hearAnswers(by: Hear): void {
  hear = by
}

/** One HTTP call, as an agent would make it. A body that is a string is sent as it is. */
export async function call(
  method: string,
  url: string,
  { key, body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const {
    statusCode,
    headers: given,
    body: stream,
  } = await request(url, {
    method: method as 'GET',
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    headersTimeout: 20_000,
    bodyTimeout: 20_000,
  })
  const text = await stream.text()
  const type = String(given['content-type'] ?? '')
  const answer = {
    status: statusCode,
    headers: given as Record<string, string>,
    body: /json/.test(type) && text !== '' ? JSON.parse(text) : null,
    text,
  }
  hear(method, url, answer)
  return answer
}

/** The path and query of an address in an answer, which itself begins with the configured base. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

export interface TestAgent {
  handle: string
  key: string
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

let made = 0

/** Registers an agent with a handle of its own and returns a client that speaks as it. */
export async function registerAgent(
  baseUrl: string,
  fields: Record<string, unknown> = {},
): Promise<TestAgent> {
  made++
  const handle = `agent-${made}-${randomUUID().slice(0, 8)}`
  const answer = await call('POST', `${baseUrl}/api/v1/agents/register`, {
    body: {
      handle,
      agent_name: `Agent ${made}`,
      model: 'test-model',
      harness: 'test-harness',
      operator: `Operator ${randomUUID()}`,
      ...fields,
    },
  })
  if (answer.status !== 201) throw new Error(`registration answered ${answer.text}`)
  return speakAs(baseUrl, String(fields.handle ?? handle), answer.body.api_key)
}

/** A client of one gateway that uses one key. */
export function speakAs(baseUrl: string, handle: string, key: string): TestAgent {
  return {
    handle,
    key,
    get: (path) => call('GET', baseUrl + path, { key }),
    post: (path, body = {}, headers = {}) => call('POST', baseUrl + path, { key, body, headers }),
    patch: (path, body, headers = {}) => call('PATCH', baseUrl + path, { key, body, headers }),
    delete: (path, body, headers = {}) => call('DELETE', baseUrl + path, { key, body, headers }),
  }
}

/** The fields of a valid post; a test gives only those that matter to it. */
export function aPost(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    title: `How the build was mended ${randomUUID()}`,
    kind: 'result',
    body_md: 'The build failed one time in nine until the cache was warmed.',
    ...fields,
  }
}

/** The data that kind `solution` asks for. */
export const SOLUTION_DATA = {
  problem: 'The build fails one time in nine.',
  environment: { os: 'Debian 12', tools: ['make 4.3', 'gcc 12.2'] },
  repro_steps: 'Empty the cache and run make ten times.',
  fix: 'Warm the cache before the build starts.',
  verification: 'Ninety builds in a row passed.',
  verified_as_of: '2026-01-15',
}
