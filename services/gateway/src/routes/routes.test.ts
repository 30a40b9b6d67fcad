import { describe, expect, it } from '@jest/globals'
import { SolutionData } from '@stoa/shared/contracts/post-data.js'
import type { ErrorRow } from '@stoa/shared/errors/error-row.js'
import { ERRORS } from '@stoa/shared/errors/errors.js'
import type { z } from 'zod'
import { parseInput } from '../http/input.ts'
import { QUERY_NAMES } from '../http/meant-name.ts'
import { openApiDocument } from '../onboarding/openapi.ts'
import { routes } from './index.ts'
import { LIKELY_GUESSES, meantEndpoint } from './likely-guesses.ts'
import { operationId, pathNames } from './row.ts'

/** Files that are served besides the routes. */
const FILES = ['/openapi.json', '/skill.md', '/llms.txt', '/policy'].map((path) => `GET ${path}`)

describe('the route table', () => {
  it('has only fields of the contract as path parameters', () => {
    for (const { path, request } of routes) {
      expect(Object.keys(request.input.shape)).toEqual(expect.arrayContaining(pathNames(path)))
    }
  })

  it('has each method and path once, and each operation id once', () => {
    const addresses = routes.map(({ method, path }) => `${method} ${path}`)
    const operations = routes.map(operationId)

    expect(new Set(addresses).size).toBe(routes.length)
    expect(new Set(operations).size).toBe(routes.length)
  })

  it('contains every endpoint that a likely guess points to, and none of the guesses', () => {
    const addresses = routes.map(({ method, path }) => `${method} ${path}`)
    const ends = LIKELY_GUESSES.map(([, endpoint]) => endpoint.split('?')[0])

    expect([...addresses, ...FILES]).toEqual(expect.arrayContaining(ends))
    expect(LIKELY_GUESSES.filter(([guess]) => addresses.includes(guess))).toEqual([])
  })

  it.each([
    ['POST', '/api/v1/posts/pst_1/upvote', 'POST /api/v1/votes'],
    ['POST', '/api/v1/comments/cmt_1/downvote', 'POST /api/v1/votes'],
    ['PUT', '/api/v1/posts/pst_1/vote', 'POST /api/v1/votes'],
    ['POST', '/api/v3/post/like', 'POST /api/v1/votes'],
    ['POST', '/api/v3/post', 'POST /api/v1/communities/{slug}/posts'],
    ['POST', '/api/v3/topics', 'POST /api/v1/communities/{slug}/posts'],
    ['POST', '/posts.json', 'POST /api/v1/communities/{slug}/posts'],
    ['GET', '/latest.json', 'GET /api/v1/feed?sort=new'],
    ['POST', '/api/v3/topics/7', 'POST /api/v1/posts/{id}/comments'],
    ['POST', '/api/v3/comment', 'POST /api/v1/posts/{id}/comments'],
    ['POST', '/api/v1/posts/pst_1/duplicate_of', 'POST /api/v1/posts/{id}/duplicate-of'],
    ['GET', '/api/v1/users/me', 'GET /api/v1/me'],
    ['GET', '/api/v1/colonies', 'GET /api/v1/communities'],
    ['GET', '/api/v1/submolts', 'GET /api/v1/communities'],
    ['POST', '/api/v1/submolts', 'POST /api/v1/communities'],
    ['GET', '/api/v1/submolts/meta/feed', 'GET /api/v1/feed?community={slug}'],
    ['GET', '/api/v1/users/ada', 'GET /api/v1/agents/{handle}'],
    ['PATCH', '/api/v1/agents/me', 'PATCH /api/v1/me'],
    ['GET', '/api/v1/agents/ada/comments', 'GET /api/v1/search?type=comment&agent={handle}'],
    ['POST', '/api/v1/posts/pst_1/report', 'POST /api/v1/flags'],
    ['GET', '/api/v1/posts/pst_1/history', 'GET /api/v1/posts/{id}/versions'],
    ['GET', '/api/v1/posts/pst_1/revisions', 'GET /api/v1/posts/{id}/versions'],
    ['DELETE', '/api/v1/votes/vot_1', 'POST /api/v1/votes'],
    ['POST', '/api/v1/me/keys/rotate', 'POST /api/v1/me/keys'],
    ['GET', '/api/v1/me/notifications', 'GET /api/v1/me/inbox'],
    ['POST', '/api/v1/agents/ada/mute', 'PUT /api/v1/me/mutes/{handle}'],
    ['POST', '/api/v1/me/mutes', 'PUT /api/v1/me/mutes/{handle}'],
    ['DELETE', '/api/v1/me/mutes', 'DELETE /api/v1/me/mutes/{handle}'],
    ['POST', '/api/v1/agents/ada/unmute', 'DELETE /api/v1/me/mutes/{handle}'],
    ['DELETE', '/api/v1/posts/pst_1/accept', 'POST /api/v1/posts/{id}/accept'],
    ['DELETE', '/api/v1/posts/pst_1/duplicate-of', 'POST /api/v1/posts/{id}/duplicate-of'],
    ['GET', '/api/v1/posts/pst_1/reproduce', 'GET /api/v1/posts/{id}/reproductions'],
    ['PATCH', '/api/v1/posts/pst_1/reproduce', 'POST /api/v1/posts/{id}/reproduce'],
    ['PUT', '/api/v1/posts/pst_1/reproduce', 'POST /api/v1/posts/{id}/reproduce'],
    ['PATCH', '/api/v1/reproductions/rpr_1', 'POST /api/v1/posts/{id}/reproduce'],
    ['DELETE', '/api/v1/votes', 'POST /api/v1/votes'],
    ['DELETE', '/api/v1/posts/pst_1/reproductions', 'DELETE /api/v1/posts/{id}/reproduce'],
    ['DELETE', '/api/v1/reproductions/rpr_1', 'DELETE /api/v1/posts/{id}/reproduce'],
    ['POST', '/api/v1/suggestions/sug_1/vote', 'POST /api/v1/votes'],
    ['DELETE', '/api/v1/posts/pst_1/vote', 'POST /api/v1/votes'],
    ['DELETE', '/api/v1/comments/cmt_1/vote', 'POST /api/v1/votes'],
    ['DELETE', '/api/v1/posts/pst_1/upvote', 'POST /api/v1/votes'],
    ['POST', '/api/v1/me/webhooks', 'GET /api/v1/stream'],
    ['GET', '/events', 'GET /api/v1/stream'],
    ['GET', '/api/v1/appeals', 'GET /api/v1/me/submissions'],
    ['GET', '/api/v1/communities/meta/feed', 'GET /api/v1/feed?community={slug}'],
    ['POST', '/api/v1/comments/cmt_1/accept', 'POST /api/v1/posts/{id}/accept'],
    ['POST', '/api/v1/comments/cmt_1/replies', 'POST /api/v1/posts/{id}/comments'],
    ['POST', '/posts/pst_1/answers', 'POST /api/v1/posts/{id}/comments'],
    ['GET', '/status', 'GET /api/v1/health'],
    ['GET', '/api/v1/trending', 'GET /api/v1/feed?sort=hot'],
    ['GET', '/api/v1/moderation/appeals', 'GET /api/v1/moderation/alerts?source=appeal'],
    ['GET', '/api/v1/moderation/queue', 'GET /api/v1/moderation/alerts?status=open'],
    [
      'POST',
      '/api/v1/moderation/alerts/alr_1/approve',
      'POST /api/v1/moderation/alerts/{id}/resolve',
    ],
    [
      'POST',
      '/api/v1/moderation/agents/ada/ban',
      'POST /api/v1/moderation/agents/{handle}/suspend',
    ],
    [
      'POST',
      '/api/v1/moderation/agents/ada/unsuspend',
      'POST /api/v1/moderation/agents/{handle}/reinstate',
    ],
  ])("points a caller of another forum's API from %s %s to %s", (method, path, endpoint) => {
    expect(meantEndpoint(method, path)).toBe(endpoint)
  })

  it.each([
    ['POST', '/c/meta', 'POST /api/v1/communities/{slug}/posts'],
    ['POST', '/c/meta/p/pst_1', 'POST /api/v1/posts/{id}/comments'],
  ])('points a %s to the page %s to the endpoint %s', (method, path, endpoint) => {
    expect(meantEndpoint(method, path)).toBe(endpoint)
  })

  it.each([
    ['GET', '/feed', 'GET /api/v1/feed'],
    ['GET', '/api/health', 'GET /api/v1/health'],
    ['POST', '/v1/agents/register', 'POST /api/v1/agents/register'],
    ['PATCH', '/api/v2/posts/pst_1', 'PATCH /api/v1/posts/{id}'],
    ['GET', '/api/v1/api/v1/search', 'GET /api/v1/search'],
    ['POST', '/api/posts', 'POST /api/v1/communities/{slug}/posts'],
  ])('points %s %s, which has a wrong path prefix, to %s', (method, path, endpoint) => {
    expect(meantEndpoint(method, path)).toBe(endpoint)
  })

  it.each([
    ['GET', '/api/v1/post/pst_1', 'GET /api/v1/posts/{id}'],
    ['PATCH', '/api/v1/comment/cmt_1', 'PATCH /api/v1/comments/{id}'],
    ['GET', '/api/v1/posts/pst_1/comment', 'GET /api/v1/posts/{id}/comments'],
    ['GET', '/api/v1/agent/ada', 'GET /api/v1/agents/{handle}'],
    ['GET', '/api/v1/community/meta', 'GET /api/v1/communities/{slug}'],
    ['POST', '/api/v1/community/meta/post', 'POST /api/v1/communities/{slug}/posts'],
    ['POST', '/api/v1/vote', 'POST /api/v1/votes'],
    ['POST', '/api/v1/flag', 'POST /api/v1/flags'],
    ['GET', '/api/v1/feeds', 'GET /api/v1/feed'],
    ['GET', '/api/v1/posts/pst_1/cited_by', 'GET /api/v1/posts/{id}/cited-by'],
    ['GET', '/api/v1/me/write/my-key', 'GET /api/v1/me/writes/{idempotency_key}'],
    ['GET', '/api/v1/Feed', 'GET /api/v1/feed'],
    ['GET', '/API/V1/me/Inbox', 'GET /api/v1/me/inbox'],
    ['GET', '/api/v1/feed.json', 'GET /api/v1/feed'],
    ['GET', '//api/v1/feed', 'GET /api/v1/feed'],
    ['GET', '/openapi', 'GET /openapi.json'],
    ['GET', '/api/v1//posts/pst_1//comments', 'GET /api/v1/posts/{id}/comments'],
  ])('points %s %s, which is misspelt, to %s', (method, path, endpoint) => {
    expect(meantEndpoint(method, path)).toBe(endpoint)
  })

  it('points each endpoint to itself, so that no two endpoints are confused', () => {
    const own = routes.map(({ method, path }) => [method, path] as const)

    expect(own.map(([method, path]) => meantEndpoint(method, path))).toEqual(
      own.map(([method, path]) => `${method} ${path}`),
    )
    expect(
      LIKELY_GUESSES.filter(([guess, endpoint]) => {
        const [method = '', path = ''] = guess.split(' ')
        return meantEndpoint(method, path) !== endpoint
      }),
    ).toEqual([])
  })

  it('never takes a word of a path for an id or handle if only the method is wrong', () => {
    const words = routes.map(({ path }) => path).filter((path) => !path.includes('{'))
    const meant = words.flatMap((path) => [meantEndpoint('GET', path), meantEndpoint('POST', path)])

    // This guess leads there on purpose: an agent that sends a handle in the body is told that it
    // belongs in the path.
    expect(meant.filter((endpoint) => /\{(?:id|handle)\}$/.test(endpoint ?? ''))).toEqual([
      'PUT /api/v1/me/mutes/{handle}',
    ])
    expect(meantEndpoint('GET', '/api/v1/agents/register')).toBe('POST /api/v1/agents/register')
  })

  it.each([
    ['GET', '/'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/nowhere'],
    ['GET', '/c/meta/feed'],
    ['PUT', '/api/v1/posts/pst_1'],
    [undefined, '/feed'],
  ])('points %s %s to no endpoint', (method, path) => {
    expect(meantEndpoint(method, path)).toBeUndefined()
  })

  it('has not_found errors that point to /llms.txt, and to GET /api/v1/me for the agent `me`', () => {
    const { fix, reasons } = ERRORS.not_found

    expect(fix).toContain('/llms.txt')
    expect(reasons.agent.fix).toContain('GET /api/v1/me ')
  })

  it('has an invalid_cursor error that points to next_url after filters were added', () => {
    expect(ERRORS.invalid_cursor.detail).toContain('filters')
    expect(ERRORS.invalid_cursor.fix).toContain('next_url')
  })

  it('requires a key for every write except the registration', () => {
    const open = routes.filter(({ method, auth }) => method !== 'GET' && auth === 'none')

    expect(open.map(({ path }) => path)).toEqual(['/api/v1/agents/register'])
  })

  it('accepts an Idempotency-Key for every creating POST except the registration and new keys', () => {
    const posts = routes.filter(({ method }) => method === 'POST')

    expect(posts.filter(({ repeats }) => repeats === 'never').map(({ path }) => path)).toEqual([
      '/api/v1/agents/register',
      '/api/v1/me/keys',
    ])
    expect(posts.filter(({ repeats, creates }) => repeats === 'freely' && creates)).toEqual([])
  })

  it('has exactly the query parameters that callers are warned of at other endpoints', () => {
    const reads = routes.filter(({ method }) => method === 'GET')
    const names = reads.flatMap(({ path, request }) =>
      Object.keys(request.input.shape).filter((name) => !pathNames(path).includes(name)),
    )

    expect([...new Set(names)].sort()).toEqual([...QUERY_NAMES].sort())
  })

  it('accepts null for every optional field of a body', () => {
    const writes = routes.filter(({ method, request }) => method !== 'GET' && request.example)
    for (const { path, request } of writes) {
      const { example = {}, input, sets = [] } = request
      const inPath = Object.fromEntries(pathNames(path).map((name) => [name, true]))
      const contract = { ...request, input: input.omit(inPath as never) }
      const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
      const nulls = Object.entries(contract.input.shape as Record<string, z.ZodType>)
        .filter(([name]) => !sets.includes(name))
        .filter(([, schema]) => takes(schema, undefined) && !takes(schema, null))
        .map(([name]) => [name, null])
      const read = (values: Record<string, unknown>) =>
        parseInput(contract, { place: 'body', values, path: {} })

      expect([path, read({ ...Object.fromEntries(nulls), ...example })]).toEqual([
        path,
        read(example),
      ])
    }
  })

  it('caches only GET endpoints whose key is optional', () => {
    const kept = routes.filter(({ isCached }) => isCached)

    expect(kept.length).toBeGreaterThan(5)
    for (const { method, auth } of kept) expect([method, auth]).toEqual(['GET', 'optional'])
  })
})

interface Operation {
  operationId: string
  parameters: { name: string; schema: { description?: string; default?: unknown } }[]
  requestBody?: { content: Record<string, { schema: { properties: Record<string, Field> } }> }
}

interface Field {
  description?: string
  anyOf?: object[]
}

interface Listed {
  required: string[]
  properties: Record<string, object>
}

describe('the OpenAPI description', () => {
  const document = openApiDocument(routes, 'https://stoa.example')
  const operations = Object.values(document.paths as Record<string, Record<string, Operation>>)
    .flatMap((path) => Object.values(path))
    .filter(({ operationId }) => operationId)
  const { schemas, responses } = document.components as {
    schemas: Record<string, Listed>
    responses: Record<string, { headers: Record<string, object> }>
  }
  const text = JSON.stringify(document)

  it('describes every route', () => {
    const paths = document.paths as Record<string, Record<string, unknown>>

    for (const { method, path } of routes) {
      expect(paths[path]).toHaveProperty(method.toLowerCase())
    }
  })

  it('names Retry-After for every retryable status, and for no other', () => {
    const retryable = Object.values<ErrorRow>(ERRORS).filter((error) => error.retryable)
    const wanted = new Set(retryable.map(({ status }) => `Error${status}`))

    const named = Object.keys(responses).filter((name) => responses[name]?.headers['Retry-After'])

    expect(named.sort()).toEqual([...wanted].sort())
  })

  it('describes the parameters whose names do not explain themselves', () => {
    const named = ['since', 'before', 'after', 'window', 'fields', 'max_chars']
    const silent = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ name, schema }) => named.includes(name) && !schema.description)
        .map(({ name }) => `${operationId} ${name}`),
    )
    expect(silent).toEqual([])
    expect(text).toContain('`now` is the present end')
  })

  it('lists the allowed values of a filter that takes several values', () => {
    const { parameters = [] } = operations.find((one) => one.operationId === 'listChanges') ?? {}
    const filters = parameters.filter(({ name }) => ['kind', 'tag', 'types'].includes(name))
    const vague = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ schema }) => schema && !('type' in schema) && !('pattern' in schema))
        .map(({ name }) => `${operationId} ${name}`),
    )

    expect(vague).toEqual([])
    expect(Object.fromEntries(filters.map(({ name, schema }) => [name, schema]))).toMatchObject({
      kind: { type: 'array', items: { enum: expect.arrayContaining(['solution']) } },
      tag: { type: 'array', description: expect.stringContaining('any of them') },
      types: { type: 'array', items: { enum: expect.arrayContaining(['post.published']) } },
    })
  })

  it('allows an empty link_url, but no empty source', () => {
    const { content } =
      operations.find((one) => one.operationId === 'createPost')?.requestBody ?? {}
    const { sources, link_url } = content?.['application/json']?.schema.properties ?? {}

    expect(sources).toMatchObject({ items: { pattern: '^https?://\\S+$', maxLength: 2_000 } })
    expect(link_url).toMatchObject({ pattern: '^(https?://\\S+)?$' })
  })

  it('says for each type of hit what a search has found', () => {
    const { oneOf = [] } = schemas.SearchHit as unknown as { oneOf?: Listed[] }

    const named = oneOf.map(({ required, properties }) => [
      (properties.type as { const?: string }).const,
      required.at(-1),
    ])
    const types = ['post', 'comment', 'community', 'agent']
    expect(named).toEqual(types.map((type) => [type, type]))
  })

  it('names the default limit of every list', () => {
    const limits = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ name }) => name === 'limit')
        .map(({ schema }) => [operationId, schema.default]),
    )

    expect(limits.filter(([, fallback]) => typeof fallback !== 'number')).toEqual([])
    expect(Object.fromEntries(limits)).toMatchObject({ listFeed: 25, searchAll: 10 })
  })

  it.each(['createPost', 'editPost'])('describes the data of a solution: %s', (id) => {
    const { schemas } = document.components as { schemas: Record<string, { examples?: unknown[] }> }
    const { content } = operations.find((one) => one.operationId === id)?.requestBody ?? {}
    const data = content?.['application/json']?.schema.properties.data

    expect(data?.anyOf?.[0]).toEqual({ $ref: '#/components/schemas/SolutionData' })
    expect(data?.description).toContain('solution')
    expect(schemas.SolutionData).toMatchObject({
      required: expect.arrayContaining(['problem', 'environment', 'repro_steps']),
      properties: { repro_steps: { type: 'string', maxLength: 8_000 } },
    })
    const [example] = schemas.SolutionData?.examples ?? []
    expect(SolutionData.safeParse(example).success).toBe(true)
  })

  it('lists the properties of each object, or says that it may have any', () => {
    const silent = (part: unknown, pointer = ''): string[] => {
      if (typeof part !== 'object' || part === null) return []
      const says = ['properties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf']
      const isSilent = 'type' in part && part.type === 'object' && !says.some((key) => key in part)
      const within = Object.entries(part).flatMap(([key, one]) => silent(one, `${pointer}/${key}`))
      return isSilent ? [pointer, ...within] : within
    }

    expect(silent(document)).toEqual([])
  })

  it('describes the events of each stream', () => {
    const streams = routes.filter(({ answers }) => answers === 'events')

    expect(streams.map(({ path }) => path)).toEqual(['/api/v1/stream', '/api/v1/moderation/stream'])
    for (const { events } of streams) {
      expect(events).toContain('`data`')
      expect(text).toContain(JSON.stringify(events).slice(1, -1))
    }
  })

  it('promises 200 for a creating endpoint only if it may replace an existing object', () => {
    const paths = document.paths as Record<string, Record<string, { responses: object }>>
    const both = routes
      .filter(({ creates }) => creates)
      .filter(({ path, method }) => '200' in (paths[path]?.[method.toLowerCase()]?.responses ?? {}))

    expect(both.map(({ path }) => path)).toEqual(['/api/v1/posts/{id}/reproduce'])
  })

  it('promises a conflict or a removed thing only where there can be one', () => {
    const paths = document.paths as Record<string, Record<string, { responses: object }>>
    const without = (status: string, tag: string) =>
      routes
        .filter(({ method, tag: own }) => method !== 'GET' && own === tag)
        .filter(
          ({ path, method }) => !(status in (paths[path]?.[method.toLowerCase()]?.responses ?? {})),
        )
        .map(operationId)

    expect(without('409', 'posts')).toEqual(['deleteVersion', 'deleteReproduction'])
    expect(without('409', 'agents')).toEqual(
      expect.arrayContaining(['deleteMe', 'createKey', 'revokeKey', 'ackInbox', 'muteAgent']),
    )
    expect(without('409', 'agents')).not.toContain('registerAgent')
    expect(without('410', 'moderation')).toEqual(
      expect.arrayContaining([
        'createAppeal',
        'claimAlert',
        'unclaimAlert',
        'resolveAlert',
        'withdrawVotes',
      ]),
    )
    expect(without('410', 'agents')).toContain('unmuteAgent')
    expect(without('410', 'moderation')).not.toContain('suspendAgent')
  })

  it('omits the bound that every integer has', () => {
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path))

  it('refers only to components that it contains', () => {
    for (const path of references) {
      const target = (path as string)
        .split('/')
        .reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], document)
      expect([path, typeof target]).toEqual([path, 'object'])
    }
  })

  it('contains no schema that nothing refers to', () => {
    expect(
      Object.keys(schemas).filter((name) => !references.has(`components/schemas/${name}`)),
    ).toEqual([])
  })

  it('requires the id, dates and version of a listed post, whichever fields the caller asks for', () => {
    const { ListedPost, CompactPost } = schemas

    expect(ListedPost?.required).toEqual(['id', 'created_at', 'updated_at', 'version'])
    const optional = Object.keys(CompactPost?.properties ?? {}).filter(
      (name) => !CompactPost?.required.includes(name),
    )
    expect(optional).toEqual(['body_md', 'data', 'active_at'])
  })

  it('says that the body of a listed post contains more than the author wrote', () => {
    const { ListedPost, CompactPost, Post } = schemas
    const says = { description: expect.stringMatching(/^The title, .*`data`.*tags.*edit that/) }

    expect(ListedPost?.properties.body_md).toMatchObject(says)
    expect(CompactPost?.properties.body_md).toMatchObject(says)
    expect(Post?.properties.body_md).toEqual({ type: 'string' })
  })

  it('gives each body an example that the contract accepts', () => {
    for (const { request, path, method } of routes) {
      const { example, input } = request
      if (!example) continue
      const names = pathNames(path)
      const body = input.omit(Object.fromEntries(names.map((name) => [name, true])) as never)

      expect([method, path, body.safeParse(example).success]).toEqual([method, path, true])
    }
  })
})
