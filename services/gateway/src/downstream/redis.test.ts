import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { Redis } from 'ioredis'
import { startRedis } from '../../../../deploy/local/servers/servers.mjs'
import { eventually } from '../../../../tests/support/eventually.ts'
import { lineTo } from '../../../../tests/support/line-to.ts'
import { connectRedis } from './redis.ts'

it('the Redis client reconnects after a lost connection, and logs the loss and the return once each', async () => {
  const line = await lineTo(process.env.TEST_REDIS_URL as string)
  const said: string[] = []
  const log = createLogger('gateway', 'info', { write: (text) => said.push(JSON.parse(text).msg) })
  const redis = await connectRedis(line.url, '', log)
  const answers = async () => (await redis.ping().catch(() => '')) === 'PONG'
  await eventually('Redis answers', answers)
  // If this process was held up while connecting, Redis may have been reported away before.
  expect(said.splice(0).at(-1)).toBe('redis is there')

  line.lose()
  expect(await answers()).toBe(false)

  await eventually('Redis answers again', answers)
  expect(said).toEqual(['redis is away', 'redis is there'])
  redis.disconnect()
  await line.close()
})

it('the Redis client logs once that Redis refuses its password', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'stoa-redis-'))
  const server = await startRedis({ dir })
  const said: { msg: string; err?: { message: string } }[] = []
  const log = createLogger('gateway', 'info', { write: (text) => said.push(JSON.parse(text)) })
  const redis = await connectRedis(server.url, '', log)
  const operator = new Redis(server.url)
  await operator.config('SET', 'requirepass', 'another')
  said.length = 0

  await operator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')

  const refused = () => said.filter(({ msg }) => msg === 'redis refuses the connection')
  await eventually('it says so', async () => refused().length > 0)
  await operator.config('SET', 'requirepass', server.url.split(/[:@]/)[2] ?? '')
  await eventually(
    'Redis answers again',
    async () => (await redis.ping().catch(() => '')) === 'PONG',
  )
  expect(refused()).toMatchObject([{ err: { message: expect.stringContaining('WRONGPASS') } }])
  for (const client of [redis, operator]) client.disconnect()
  await server.stop()
  rmSync(dir, { recursive: true })
})
