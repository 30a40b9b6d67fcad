import { ERRORS, type ErrorCode } from '@stoa/shared/errors/errors.js'
import { idPattern } from '@stoa/shared/identifiers/ids.js'
import type { z } from 'zod'
import { minimalOf } from '../routes/minimal.ts'
import {
  knowsVersions,
  operationId,
  pathNames,
  type Row,
  takesIdempotencyKey,
} from '../routes/row.ts'
import { inputSchema, type JsonSchema, parameterSchema, reference } from './json-schema.ts'

/** The name of a row's answer among the component schemas. */
export function answerName(row: Row): string {
  const id = operationId(row)
  return `${id[0]?.toUpperCase()}${id.slice(1)}Answer`
}

/** The name of the minimal form of an answer, which `return=minimal` asks for. */
export function minimalName(schemaName: string): string {
  return `Minimal${schemaName}`
}

/** One row as an OpenAPI operation. `schemaName` names the schema of its answer. */
export function operationOf(row: Row, schemaName: string): JsonSchema {
  const body = row.method === 'GET' ? undefined : requestBody(row)
  return {
    operationId: operationId(row),
    summary: row.summary,
    tags: [row.tag],
    security: securityOf(row),
    'x-rate-limit-class': row.limit,
    parameters: [...pathParameters(row), ...queryParameters(row), ...headerParameters(row)],
    ...(body ? { requestBody: body } : {}),
    responses: { ...successes(row, schemaName), ...failures(row) },
  }
}

function securityOf({ auth }: Row): JsonSchema[] {
  if (auth === 'none') return []
  return auth === 'optional' ? [{}, { bearerKey: [] }] : [{ bearerKey: [] }]
}

function pathParameters(row: Row): JsonSchema[] {
  return pathNames(row.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: withoutDefault(parameterSchema(row.request.input.shape[name] as z.ZodType)),
  }))
}

function queryParameters(row: Row): JsonSchema[] {
  if (row.method !== 'GET') return []
  const inPath = pathNames(row.path)
  return Object.entries(row.request.input.shape as Record<string, z.ZodType>)
    .filter(([name]) => !inPath.includes(name))
    .map(([name, schema]) => ({
      name,
      in: 'query',
      ...(schema.safeParse(undefined).success ? {} : { required: true }),
      schema: parameterSchema(schema),
    }))
}

function headerParameters(row: Row): JsonSchema[] {
  const names: string[] = []
  if (takesIdempotencyKey(row)) names.push('IdempotencyKey')
  if (knowsVersions(row)) names.push('IfMatch')
  if (row.isScanned || minimalOf(row)) names.push('Prefer')
  if (row.answers === 'events') names.push('LastEventId')
  else if (row.method === 'GET') names.push('IfNoneMatch')
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

function requestBody(row: Row): JsonSchema | undefined {
  const { input, example, aliases, sets } = row.request
  const omitted = Object.fromEntries(pathNames(row.path).map((name) => [name, true as const]))
  const fields = input.omit(omitted as never)
  if (Object.keys(fields.shape).length === 0) return undefined
  const known = Object.entries(aliases).filter(([, name]) => !(name in omitted))
  const description = known.map(([alias, name]) => `\`${alias}\` is understood as \`${name}\`.`)
  if (sets) description.push(`Null is refused in ${sets.map((name) => `\`${name}\``).join(', ')}.`)
  return {
    required: !fields.safeParse({}).success,
    ...(description.length > 0 ? { description: description.join(' ') } : {}),
    content: {
      'application/json': { schema: inputSchema(fields), ...(example ? { example } : {}) },
    },
  }
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })

const HEADERS = {
  'X-Content-Trust': header('ContentTrust'),
  'X-Request-Id': header('RequestId'),
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
}

const REPLAYED = { 'Idempotent-Replayed': header('IdempotentReplayed') }
const RETRY = { 'Retry-After': header('RetryAfter') }

/** Headers of errors by status, besides those of every answer. */
const HEADERS_OF: Record<number, JsonSchema> = {
  401: { 'WWW-Authenticate': header('WWWAuthenticate') },
  410: REPLAYED,
  422: REPLAYED,
}

function successes(row: Row, schemaName: string): JsonSchema {
  const answer = (description: string, headers: JsonSchema = {}) => ({
    description,
    headers: { ...HEADERS, ...headers },
    content: contentOf(row, schemaName),
  })
  const etag = { ETag: header('ETag') }
  if (row.method === 'GET') {
    if (row.answers === 'events') return { 200: answer(`Server-sent events. ${row.events}`) }
    const unchanged = { $ref: '#/components/responses/NotModified' }
    const found = { 200: answer('The answer.', etag), 304: unchanged }
    return row.statusOf ? { ...found, 503: answer('The service is down.', etag) } : found
  }
  const showsThing = minimalOf(row) !== null
  const own = {
    // The tag begins with the version of the thing shown. What is replaced has no versions.
    ...(showsThing && !row.replaces ? etag : {}),
    ...(takesIdempotencyKey(row) ? REPLAYED : {}),
    ...(showsThing ? { 'Preference-Applied': header('PreferenceApplied') } : {}),
  }
  const placed = { ...own, Location: header('Location') }
  const done = row.replaces ? 'Done; it replaced what you created before.' : 'Done.'
  const alwaysCreates = row.creates && !row.replaces
  return {
    ...(row.creates ? { 201: answer('Created.', row.isPlaceless ? own : placed) } : {}),
    ...(alwaysCreates ? {} : { 200: answer(done, row.isScanned ? placed : own) }),
    ...(row.isScanned ? { 202: answer('Accepted; the text waits for a verdict.', placed) } : {}),
  }
}

function contentOf(row: Row, schemaName: string): JsonSchema {
  const { answers } = row
  if (answers === 'markdown') return { 'text/markdown': { schema: { type: 'string' } } }
  if (answers === 'events') return { 'text/event-stream': { schema: { type: 'string' } } }
  const sealed = (name: string) => ({ allOf: [reference('Envelope'), reference(name)] })
  const schema = minimalOf(row)
    ? { anyOf: [sealed(schemaName), sealed(minimalName(schemaName))] }
    : sealed(schemaName)
  return { 'application/json': { schema } }
}

/** The error responses a row can answer with, by status. */
function failures(row: Row): JsonSchema {
  const statuses = new Set([400, 401, 422, 429, 500, 503, 504])
  const named = namesThings(row)
  if (row.auth === 'agent' || row.auth === 'moderator') statuses.add(403)
  if (named.length > 0) statuses.add(404)
  if (mayBeGone(row, named)) statuses.add(410)
  if (row.method !== 'GET') statuses.add(413).add(415)
  if (mayConflict(row)) statuses.add(409)
  if (row.statusOf) statuses.delete(503)
  return Object.fromEntries(
    [...statuses]
      .sort((left, right) => left - right)
      .map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  )
}

/** The fields in the path or body of a row that name something that may not exist. */
function namesThings({ path, method, request }: Row): z.ZodType[] {
  const inPath = pathNames(path)
  const isReference = (field: string) => method !== 'GET' && field.endsWith('_id')
  return Object.entries(request.input.shape as Record<string, z.ZodType>)
    .filter(([field]) => inPath.includes(field) || isReference(field))
    .map(([, schema]) => schema)
}

/** Ids of what is never public, and thus never gone. */
const PRIVATE_IDS = (['alert', 'case', 'key'] as const).map((kind) => idPattern(kind).source)

function mayBePublic(schema: z.ZodType): boolean {
  return !PRIVATE_IDS.includes(String(parameterSchema(schema).pattern))
}

function mayBeGone(row: Row, named: z.ZodType[]): boolean {
  // A text may be deleted with its author while it waits for its verdict.
  return row.isScanned || (!row.worksOnDeleted && named.some(mayBePublic))
}

function mayConflict(row: Row): boolean {
  return takesIdempotencyKey(row) || knowsVersions(row) || !!row.conflicts
}

/** The responses that many operations share. */
export function sharedResponses(): JsonSchema {
  const unchanged = {
    description: 'The answer is still the one that If-None-Match names.',
    headers: { ...HEADERS, ETag: header('ETag') },
  }
  return { NotModified: unchanged, ...errorResponses() }
}

/** One reusable response per status, listing the codes it may carry. */
function errorResponses(): JsonSchema {
  // 405 is left out, because no described operation can be called with a method it does not have.
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status !== 405)
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERRORS[code].status === status)
      return [
        `Error${status}`,
        {
          description: own.map((code) => `\`${code}\`: ${ERRORS[code].detail}`).join('\n\n'),
          headers: { ...HEADERS, ...HEADERS_OF[status], ...retryOf(own) },
          content: { 'application/problem+json': { schema: reference('Problem') } },
        },
      ]
    }),
  )
}

function retryOf(codes: ErrorCode[]): JsonSchema {
  return codes.some((code) => ERRORS[code].retryable) ? RETRY : {}
}

function withoutDefault({ default: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}
