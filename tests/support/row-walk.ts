import { expect } from '@jest/globals'
import { operationId, pathNames, type Row } from '@stoa/gateway/routes/row.js'
import { type Answer, call, type Json, type TestAgent } from './agent.ts'
import { InterfaceDescription } from './interface-description.ts'
import type { PreparedForum } from './prepared-forum.ts'
import { SAMPLES, type Sample } from './row-samples.ts'

export interface Sent extends Omit<Sample, 'as' | 'body'> {
  key?: string | undefined
  /** A string is sent as it is. */
  body?: unknown
  headers?: Record<string, string>
}

const UNKNOWN_ID = '00000000000070008000000000000000'
const PREFIXES: Record<string, string> = {
  posts: 'pst',
  comments: 'cmt',
  suggestions: 'sug',
  keys: 'key',
  alerts: 'alr',
  appeals: 'cas',
}

/**
 * Sends requests to the rows of the table, and checks every answer against the interface
 * description.
 */
export class RowWalk {
  readonly prepared: PreparedForum
  readonly document: Json
  readonly description: InterfaceDescription

  static async of(prepared: PreparedForum): Promise<RowWalk> {
    const { body } = await call('GET', `${prepared.forum.url}/openapi.json`)
    return new RowWalk(prepared, body)
  }

  constructor(prepared: PreparedForum, document: Json) {
    this.prepared = prepared
    this.document = document
    this.description = new InterfaceDescription(document)
  }

  /** A request to the row that succeeds once. */
  async sampleOf(row: Row): Promise<Sample> {
    const make = SAMPLES[operationId(row)]
    if (!make) throw new Error(`there is no sample of ${operationId(row)}`)
    return make(this.prepared)
  }

  /** An agent who may use the row. */
  userOf({ auth }: Row): TestAgent {
    return auth === 'moderator' ? this.prepared.moderator : this.prepared.author
  }

  /** Well-formed path parameters of something that does not exist. */
  unknownPath({ path }: Row): Record<string, string> {
    const collection = /(\w+)\/\{id\}/.exec(path)?.[1] ?? ''
    const values: Record<string, string> = {
      id: `${PREFIXES[collection]}_${UNKNOWN_ID}`,
      version: '7',
    }
    return Object.fromEntries(pathNames(path).map((name) => [name, values[name] ?? 'nobody-here']))
  }

  addressOf({ path }: Row, sample: Pick<Sample, 'path' | 'query'>): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(sample.path?.[name] ?? ''),
    )
    return `${this.prepared.forum.url}${filled}${sample.query ? `?${sample.query}` : ''}`
  }

  async send(row: Row, { key, body, headers = {}, ...to }: Sent): Promise<Answer> {
    const answer = await call(row.method, this.addressOf(row, to), { key, body, headers })
    expect(answer.headers).toMatchObject({
      'x-content-trust': 'untrusted',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
    // No cache may keep an answer that is for its reader alone or holds only for this moment.
    if (key !== undefined || row.method !== 'GET' || answer.body?.object === 'error')
      expect(answer.headers['cache-control']).toContain('no-store')
    expect(this.description.faults(row, answer)).toEqual([])
    return answer
  }
}

export function expectRefusal({ status, body }: Answer, wanted: number, code: string): void {
  expect({ status, code: body?.code, object: body?.object }).toEqual({
    status: wanted,
    code,
    object: 'error',
  })
}

export function pointers({ body }: Answer): string[] {
  return body.errors.map(({ pointer }: { pointer: string }) => pointer)
}

/** A value no field of the schema takes. */
export function wrongFor(schema: Json): unknown {
  return schema.type === 'object' ? 'text' : { wrong: true }
}
