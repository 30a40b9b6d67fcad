import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { type EnqueuedTask, Meilisearch } from 'meilisearch'
import { eventually } from '../../../../tests/support/eventually.ts'
import { call, refusalOf, settle, TaskFailed } from './meili.ts'
import { type MeiliHttp, meiliHttp, SEARCHES_AT_ONCE_MAX } from './meili-http.ts'

let server: Server
let http: MeiliHttp

async function clientOf(listener: RequestListener, timeoutMs = 5_000): Promise<Meilisearch> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  http = meiliHttp(timeoutMs)
  const host = `http://127.0.0.1:${port}`
  return new Meilisearch({ host, apiKey: 'a-key', httpClient: http.send })
}

afterEach(async () => {
  http.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function enqueued(taskUid: number): Promise<EnqueuedTask> {
  return Promise.resolve({ taskUid } as EnqueuedTask)
}

function malformed(why: string): string {
  const message = `The \`json\` payload provided is malformed. \`Couldn't serialize document value: ${why}\`.`
  return JSON.stringify({ message, code: 'malformed_payload', type: 'invalid_request' })
}

describe('the transport to Meilisearch', () => {
  it('sends method, key and body, and parses the answer', async () => {
    const seen: unknown[] = []
    const client = await clientOf((request, response) => {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers.authorization, JSON.parse(body)])
        response.end('{"hits":[]}')
      })
    })

    expect(await client.index('forum').search('a "b" ü')).toEqual({ hits: [] })

    expect(seen).toEqual([['POST', '/indexes/forum/search', 'Bearer a-key', { q: 'a "b" ü' }]])
  })

  it('reuses its connections', async () => {
    const ports = new Set<number | undefined>()
    const client = await clientOf((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('{}')
    })

    for (let n = 0; n < 20; n++) await client.getVersion()

    expect(ports.size).toBeLessThanOrEqual(2)
  })

  it('has a connection left for indexing while the maximum number of searches hangs', async () => {
    const searches: ServerResponse[] = []
    const client = await clientOf((request, response) => {
      if (request.url === '/multi-search') searches.push(response)
      else response.end('{"pkgVersion":"1"}')
    }, 2_000)
    const asked = Array.from({ length: SEARCHES_AT_ONCE_MAX }, () =>
      client.multiSearch({ queries: [] }),
    )
    await eventually('all searches hang', async () => searches.length === SEARCHES_AT_ONCE_MAX)

    expect(await client.getVersion()).toEqual({ pkgVersion: '1' })

    for (const response of searches) response.end('{"results":[]}')
    await Promise.all(asked)
  })

  it('returns undefined for an empty body', async () => {
    const client = await clientOf((_, response) => response.writeHead(204).end())

    expect(await client.getVersion()).toBeUndefined()
  })

  it('throws a refusal of the server with its status and code', async () => {
    const client = await clientOf((_, response) =>
      response
        .writeHead(404)
        .end('{"message":"no such index","code":"index_not_found","type":"invalid_request"}'),
    )

    const error = await call(client.getVersion()).catch((thrown: unknown) => thrown)

    expect(refusalOf(error)).toEqual({
      status: 404,
      code: 'index_not_found',
      type: 'invalid_request',
      message: 'no such index',
    })
  })

  it.each([
    ['an error page of a proxy', 502, '<html>bad gateway</html>'],
    ['an empty error', 503, ''],
    ['a request that it read late, because it stood still', 408, ''],
    ['an overload', 429, '{"code":"too_many_search_requests"}'],
    ['a full disk', 422, '{"code":"no_space_left_on_device","type":"system"}'],
    [
      'a full disk, told of a long text',
      400,
      malformed('trailing characters at line 1 column 8378'),
    ],
  ])('reports unavailable for %s', async (_, status, body) => {
    const client = await clientOf((_request, response) => response.writeHead(status).end(body))

    await expect(call(client.getVersion())).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('does not report unavailable for a payload that Meilisearch can never read', async () => {
    const never = malformed('lone leading surrogate in hex escape at line 1 column 20')
    const client = await clientOf((_request, response) => response.writeHead(400).end(never))

    const error = await call(client.getVersion()).catch((thrown: unknown) => thrown)

    expect(refusalOf(error)).toMatchObject({ status: 400, code: 'malformed_payload' })
    expect(error).not.toMatchObject({ code: 'unavailable' })
  })

  it('reports unavailable for a task that failed for lack of space, and TaskFailed for a refused or canceled task', async () => {
    const ofMachine = { code: 'no_space_left_on_device', type: 'system' }
    const refused = { code: 'index_not_found', type: 'invalid_request' }
    const tasks = [
      { status: 'failed', error: ofMachine },
      { status: 'failed', error: refused },
      { status: 'canceled', error: null },
    ]
    const client = await clientOf((request, response) => {
      response.end(JSON.stringify(tasks[Number(request.url?.at(-1))]))
    })

    await expect(settle(client, enqueued(0), 5_000)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(settle(client, enqueued(1), 5_000)).rejects.toThrow(TaskFailed)
    await expect(settle(client, enqueued(2), 5_000)).rejects.toThrow(TaskFailed)
  })

  it('reports unavailable for a task that waits too long', async () => {
    const client = await clientOf((_, response) => response.end('{"status":"enqueued"}'))

    await expect(settle(client, enqueued(0), 50)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('does not report unavailable for an error of the program', async () => {
    await clientOf(() => {})

    await expect(call(Promise.reject(new TypeError('no function')))).rejects.toThrow(TypeError)
  })

  it('reports unavailable if the server does not answer in time', async () => {
    const client = await clientOf(() => {}, 50)

    await expect(call(client.getVersion())).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('ends its request when the caller gives up', async () => {
    const gone: Promise<unknown>[] = []
    const caller = new AbortController()
    const client = await clientOf((request) => {
      gone.push(new Promise((resolve) => request.socket.once('close', resolve)))
      caller.abort()
    })
    const { signal } = caller

    await expect(call(client.index('x').search('q', {}, { signal }))).rejects.toMatchObject({
      code: 'unavailable',
    })

    // The request is really ended, and not only no longer awaited.
    expect(await Promise.all(gone)).toHaveLength(1)
  })

  it('ends the requests under way when it is closed, also those that wait for a connection, and refuses further ones', async () => {
    const hanging: ServerResponse[] = []
    const client = await clientOf((_, response) => hanging.push(response))
    const more = SEARCHES_AT_ONCE_MAX * 2
    const asked = Array.from({ length: more }, () => call(client.getVersion()))
    const ended = Promise.allSettled(asked)
    await eventually('requests hang', async () => hanging.length > SEARCHES_AT_ONCE_MAX)

    http.close()

    const unavailable = { status: 'rejected', reason: { code: 'unavailable' } }
    expect(await ended).toMatchObject(Array(more).fill(unavailable))
    await expect(call(client.getVersion())).rejects.toMatchObject({
      code: 'unavailable',
      cause: { cause: { message: 'the connections to Meilisearch are closed' } },
    })
  })

  it('reports unavailable if the server closes the connection or does not listen', async () => {
    const client = await clientOf((request) => request.socket.destroy())
    await expect(call(client.getVersion())).rejects.toMatchObject({ code: 'unavailable' })
    await new Promise((resolve) => server.close(resolve))

    await expect(call(client.getVersion())).rejects.toMatchObject({ code: 'unavailable' })
  })
})
