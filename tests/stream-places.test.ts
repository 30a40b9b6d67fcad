import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { request } from 'undici'
import { listen } from './support/event-source.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { makeModerator } from './support/moderator.ts'

let forum: Forum
let key: string

beforeAll(async () => {
  forum = await startForum({}, { RATE_LIMITS: 'on', STREAMS_PER_ADDRESS_MAX: '1' })
  key = (await makeModerator(forum)).key
})

afterAll(async () => {
  await forum?.stop()
})

describe.each(['/api/v1/stream', '/api/v1/moderation/stream'])(
  'the place of a reader of %s',
  (path) => {
    const open = (lastEventId?: string) => listen(forum.url + path, { key, lastEventId })
    /** A stream that is closed gives its place back only when the gateway hears of it. */
    const isFree = () =>
      eventually('a place is free', async () => {
        const source = await open()
        if (source.statusCode !== 200) return false
        source.close()
        return true
      })

    it('becomes free when the reader leaves', async () => {
      await isFree()
      const first = await eventually('the first is open', async () => {
        const source = await open()
        return source.statusCode === 200 && source
      })

      const second = await open()
      first.close()

      expect(second.statusCode).toBe(429)
      await isFree()
    })

    it('becomes free after a refused request and after HEAD', async () => {
      await isFree()
      const refused = await eventually('it is refused for its id', async () => {
        const { statusCode } = await open('nonsense')
        return statusCode !== 429 && statusCode
      })
      const headers = { authorization: `Bearer ${key}` }
      const head = await request(forum.url + path, { method: 'HEAD', headers })

      expect([refused, head.statusCode]).toEqual([400, 200])
      await isFree()
    })

    it('is given up by a gateway that stops, which ends the stream without an error', async () => {
      const url = await forum.startGateway()
      const { child } = forum.processes.at(-1) as Forum['processes'][number]
      const headers = { authorization: `Bearer ${key}` }
      const { statusCode, body } = await request(url + path, { headers })
      const whole = body.text()

      child.kill('SIGTERM')

      expect(statusCode).toBe(200)
      // `whole` rejects if the connection is cut off.
      expect(await whole).toContain('retry: ')
    })
  },
)

it('readers of the change stream take no place of moderators', async () => {
  const [log, alerts] = ['/api/v1/stream', '/api/v1/moderation/stream'].map(
    (path) => forum.url + path,
  )
  const reader = await eventually('the log is read', async () => {
    const source = await listen(log as string, {})
    return source.statusCode === 200 && source
  })

  const moderator = await listen(alerts as string, { key })
  const another = await listen(log as string, {})
  for (const source of [reader, moderator, another]) source.close()

  expect([moderator.statusCode, another.statusCode]).toEqual([200, 429])
})
