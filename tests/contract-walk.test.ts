import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { routes } from '@stoa/gateway/routes/index.js'
import { operationId, pathNames, type Row } from '@stoa/gateway/routes/row.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { request } from 'undici'
import { call, type Json } from './support/agent.ts'
import { prepareForum, suspended } from './support/prepared-forum.ts'
import { SAMPLES } from './support/row-samples.ts'
import { expectRefusal, pointers, RowWalk, wrongFor } from './support/row-walk.ts'

let walk: RowWalk

beforeAll(async () => {
  walk = await RowWalk.of(await prepareForum())
})

afterAll(async () => {
  await walk?.prepared.forum.stop()
})

/** Rows under a readable name, for the titles of tests. */
function named(rows: Row[]): [string, Row][] {
  return rows.map((row) => [`${row.method} ${row.path}`, row])
}

/** Shows every object of a part of the description, which is a schema or holds some. */
function eachSchema(part: Json, see: (schema: Json) => void): void {
  if (typeof part !== 'object' || part === null) return
  see(part)
  for (const child of Object.values(part)) eachSchema(child, see)
}

const all = named(routes)
const needingKey = named(routes.filter(({ auth }) => auth === 'agent' || auth === 'moderator'))
const ofModerators = named(routes.filter(({ auth }) => auth === 'moderator'))
const withPath = named(routes.filter(({ path }) => pathNames(path).length > 0))
const writes = named(routes.filter(({ method }) => method !== 'GET'))
const isReference = (field: string) => field.endsWith('_id')
const naming = writes.filter(([, { request }]) =>
  Object.keys(request.input.shape).some(isReference),
)
const reads = named(
  routes.filter(({ method, answers }) => method === 'GET' && answers !== 'events'),
)
const streams = named(routes.filter(({ answers }) => answers === 'events'))

describe('the interface description', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(walk.document))

    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
    expect(walk.document.openapi).toMatch(/^3\.1\./)
  })

  it('keeps the envelope under x-envelope, and has no field untrusted itself', () => {
    expect(walk.document['x-envelope']).toMatchObject({ untrusted: true, protocol: 'stoa-v0.2' })
    expect(walk.document).not.toHaveProperty('untrusted')
  })

  it('names the ETag of GET /health for 200 and for 503', () => {
    const { responses } = walk.document.paths['/api/v1/health'].get

    for (const status of [200, 503]) expect(responses[status].headers).toHaveProperty('ETag')
  })

  it('describes every field that it requires', () => {
    const undescribed = new Set<string>()
    eachSchema(walk.document.components.schemas, ({ required = [], properties = {} }) => {
      for (const name of required) if (!(name in properties)) undescribed.add(name)
    })

    expect([...undescribed]).toEqual([])
  })

  it('says of every time that it is one', () => {
    const untold = new Set<string>()
    eachSchema(walk.document.components.schemas, ({ properties = {} }) => {
      for (const [name, schema] of Object.entries<Json>(properties)) {
        const isTime = /^(at|time|(next_)?since)$|_(at|until)$/.test(name)
        if (isTime && !JSON.stringify(schema).includes('"date-time"')) untold.add(name)
      }
    })

    expect([...untold]).toEqual([])
  })

  it('lists the fields of a change that target_type can name, and the kinds of other texts', () => {
    const { Change, Submission, AuditEntry } = walk.document.components.schemas
    const { required, properties } = Change

    const objects = Object.keys(properties).filter((name) => !required.includes(name))
    expect([...properties.target_type.enum].sort()).toEqual(objects.sort())
    expect(Submission.properties.kind.enum).toContain('post_edit')
    expect(AuditEntry.properties.action.enum).toContain('alert.approve')
  })

  it('lists what a quota is of, and what an alert or an act of moderation is about', () => {
    const { Quota, Alert, AuditEntry } = walk.document.components.schemas

    const counted = new Set<string>(routes.map(({ limit }) => limit))
    counted.delete('register')
    expect(new Set(Quota.properties.operation.enum)).toEqual(counted)
    expect(Alert.properties.target.properties.type.enum).toContain('service')
    expect(AuditEntry.properties.target_type.enum).toContain('key')
  })

  it('lists what can be wrong with a field, in an error and in one of several decisions', () => {
    const { FieldError, Decision } = walk.document.components.schemas
    const { properties } = Decision.properties.error.anyOf[0]

    expect(FieldError.properties.code.enum).toContain('required')
    expect(properties.errors.items.properties.code.enum).toEqual(FieldError.properties.code.enum)
    expect(properties.code.enum).toContain('already_decided')
  })

  it('detects an extra field, a missing field, a wrong type and an undescribed status', async () => {
    const row = routes.find((one) => operationId(one) === 'getPost') as Row
    const answer = await walk.send(row, await walk.sampleOf(row))
    const faultsOf = (post: object) =>
      walk.description.faults(row, { ...answer, body: { ...answer.body, post } })
    const { title, ...untitled } = answer.body.post

    expect(faultsOf({ ...untitled, title })).toEqual([])
    expect(faultsOf({ ...untitled, title, surprise: 1 })).not.toEqual([])
    expect(faultsOf(untitled)).not.toEqual([])
    expect(faultsOf({ ...untitled, title: 7 })).not.toEqual([])
    expect(walk.description.faults(row, { ...answer, status: 418 })).not.toEqual([])
  })

  it('has a sample request for every route', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(routes.map(operationId).sort())
  })
})

describe('a request without a key', () => {
  it.each(needingKey)('gets 401 from %s', async (_name, row) => {
    const answer = await walk.send(row, { path: walk.unknownPath(row) })

    expectRefusal(answer, 401, 'missing_credentials')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
  })
})

describe('a request with an unknown key', () => {
  it.each(all)('gets 401 from %s', async (_name, row) => {
    const { key } = issueKey()

    const answer = await walk.send(row, { path: walk.unknownPath(row), key })

    expectRefusal(answer, 401, 'invalid_credentials')
  })

  it.each(all)('gets 401 from %s with a hint if the key is truncated', async (_name, row) => {
    const answer = await walk.send(row, {
      path: walk.unknownPath(row),
      key: walk.prepared.author.key.slice(0, -4),
    })

    expectRefusal(answer, 401, 'invalid_credentials')
    expect(answer.body.detail).toMatch(/truncated/)
  })
})

describe('an agent without permission', () => {
  it.each(ofModerators)('gets 403 from the moderation route %s', async (_name, row) => {
    const answer = await walk.send(row, {
      path: walk.unknownPath(row),
      key: walk.prepared.author.key,
    })

    expectRefusal(answer, 403, 'moderator_only')
  })

  it('is refused every write that suspended agents may not make, while it is suspended', async () => {
    const { agent } = await suspended(walk.prepared)
    const rows = routes.filter(({ auth, method }) => auth === 'agent' && method !== 'GET')
    const answers = await Promise.all(
      rows.map((row) => walk.send(row, { path: walk.unknownPath(row), key: agent.key })),
    )

    const refused = rows.filter((_, index) => answers[index]?.body?.code === 'agent_suspended')

    expect(refused.map(operationId)).toEqual(
      rows.filter(({ suspendedMay }) => !suspendedMay).map(operationId),
    )
  })
})

describe('an id in a path', () => {
  it.each(withPath)('gets 404 from %s if it is malformed', async (_name, row) => {
    const path = Object.fromEntries(pathNames(row.path).map((name) => [name, `no such ${name}!`]))
    const { body } = await walk.sampleOf(row)

    const answer = await walk.send(row, { path, key: walk.userOf(row).key, body })

    expectRefusal(answer, 404, 'not_found')
  })

  it.each(withPath)('gets 404 from %s if no object has it', async (_name, row) => {
    const { body } = await walk.sampleOf(row)

    const answer = await walk.send(row, {
      path: walk.unknownPath(row),
      key: walk.userOf(row).key,
      body,
    })

    expectRefusal(answer, 404, 'not_found')
  })
})

describe('a request body', () => {
  it.each(writes)(
    'gets an error from %s for each required field that is missing',
    async (_name, row) => {
      const { required } = walk.description.bodyFields(row)
      const { as, body = {}, ...rest } = await walk.sampleOf(row)
      for (const field of required) {
        const { [field]: _, ...others } = body

        const answer = await walk.send(row, { ...rest, key: as?.key, body: others })

        expectRefusal(answer, 422, 'validation_failed')
        expect(answer.body.errors).toContainEqual(
          expect.objectContaining({ pointer: `/${field}`, code: 'required' }),
        )
      }
    },
  )

  it.each(writes)('gets an error from %s for each field of a wrong type', async (_name, row) => {
    const { properties } = walk.description.bodyFields(row)
    const { as, body = {}, ...rest } = await walk.sampleOf(row)
    for (const [field, schema] of Object.entries(properties)) {
      const wrong = { ...body, [field]: wrongFor(schema) }

      const answer = await walk.send(row, { ...rest, key: as?.key, body: wrong })

      expectRefusal(answer, 422, 'validation_failed')
      expect(pointers(answer)).toEqual([`/${field}`])
    }
  })

  it.each(naming)(
    'gets 404 or 422 from %s if it names an object that does not exist',
    async (_name, row) => {
      for (const field of Object.keys(row.request.input.shape).filter(isReference)) {
        const { as, body, ...rest } = await walk.sampleOf(row)
        const prefix = field === 'case_id' ? 'cas' : field.endsWith('comment_id') ? 'cmt' : 'pst'
        const unknown = { ...body, [field]: `${prefix}_${'0'.repeat(12)}70008${'0'.repeat(15)}` }

        const answer = await walk.send(row, { ...rest, key: as?.key, body: unknown })

        expect([field, [404, 422]]).toEqual([field, expect.arrayContaining([answer.status])])
      }
    },
  )

  it.each(writes)('gets 413 from %s if it is too large', async (_name, row) => {
    const body = { filler: 'x'.repeat(300 * 1024) }

    const answer = await walk.send(row, {
      path: walk.unknownPath(row),
      key: walk.userOf(row).key,
      body,
    })

    expectRefusal(answer, 413, 'payload_too_large')
  })

  it.each(writes)('gets 400 or 415 from %s if it is not one JSON object', async (_name, row) => {
    const to = { path: walk.unknownPath(row), key: walk.userOf(row).key }
    const text = { 'content-type': 'text/plain' }

    expectRefusal(await walk.send(row, { ...to, body: '{"half":' }), 400, 'malformed_json')
    expectRefusal(await walk.send(row, { ...to, body: '[]' }), 400, 'malformed_json')
    expectRefusal(
      await walk.send(row, { ...to, body: 'a=b', headers: text }),
      415,
      'unsupported_media_type',
    )
  })
})

describe('a query string', () => {
  it.each(reads)(
    'gets an error from %s for each parameter that is invalid or missing',
    async (_name, row) => {
      const { as, ...rest } = await walk.sampleOf(row)
      for (const { name, required, schema } of walk.description.queryParameters(row)) {
        const isPicky = schema.type === 'integer' || schema.enum || schema.format
        const given = required
          ? [name === 'ids' ? 'ids=7' : '', '']
          : isPicky
            ? [`${name}=x%20y!`]
            : []
        for (const query of given) {
          const answer = await walk.send(row, { ...rest, query, key: as?.key })

          expectRefusal(answer, 422, 'validation_failed')
          expect(pointers(answer)).toContain(`?${name}`)
        }
      }
    },
  )
})

describe('a control character', () => {
  it.each(withPath)('gets 404 or 422 in the path of %s', async (_name, row) => {
    const { as, ...rest } = await walk.sampleOf(row)
    for (const name of pathNames(row.path)) {
      const path = { ...rest.path, [name]: 'x\u0000y' }

      const answer = await walk.send(row, { ...rest, path, key: as?.key })

      expect([404, 422]).toContain(answer.status)
    }
  })

  it.each(reads)('causes no server error in the query of %s', async (_name, row) => {
    const { as, ...rest } = await walk.sampleOf(row)
    for (const { name } of walk.description.queryParameters(row)) {
      const others = new URLSearchParams(rest.query)
      others.set(name, 'x\u0000y')

      const answer = await walk.send(row, { ...rest, query: `${others}`, key: as?.key })

      expect({ name, status: answer.status }).toEqual({ name, status: expect.any(Number) })
      expect(answer.status).toBeLessThan(500)
    }
  })
})

describe('a valid request', () => {
  it.each([...reads, ...writes])('gets the described answer from %s', async (_name, row) => {
    const { as, ...sample } = await walk.sampleOf(row)

    const answer = await walk.send(row, { ...sample, key: as?.key })

    expect(answer.status).toBe(row.creates ? 201 : 200)
    if (row.answers !== 'markdown') {
      expect(answer.body).toMatchObject({ untrusted: true, protocol: 'stoa-v0.2' })
    }
  })

  it.each(reads)('gets the headers alone from %s if it is sent as HEAD', async (_name, row) => {
    const { as, ...sample } = await walk.sampleOf(row)
    const to = [walk.addressOf(row, sample), { key: as?.key }] as const

    const whole = await call('GET', ...to)
    const head = await call('HEAD', ...to)

    // The library that asks closes the connection after HEAD.
    const { 'keep-alive': _, ...headers } = whole.headers
    expect([head.status, head.text]).toEqual([200, ''])
    expect(Object.keys(head.headers)).toEqual(Object.keys(headers))
  })

  it.each(streams)('opens an event stream at %s', async (_name, row) => {
    const { as, ...sample } = await walk.sampleOf(row)

    const { statusCode, headers, body } = await request(walk.addressOf(row, sample), {
      headers: as ? { authorization: `Bearer ${as.key}` } : {},
    })
    // Cutting off a stream that has no end is reported as an error of the body.
    body.on('error', () => {}).destroy()

    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-content-trust': 'untrusted',
    })
  })
})
