import { expect, it } from '@jest/globals'
import { createLogger } from '@stoa/shared/process/logger.js'
import { eventually } from '../../../../tests/support/eventually.ts'
import { lineTo } from '../../../../tests/support/line-to.ts'
import { connectRedis } from './redis.ts'

it('connects anew when the connection was lost without a word, and says each once', async () => {
  const line = await lineTo(process.env.TEST_REDIS_URL as string)
  const said: string[] = []
  const log = createLogger('gateway', 'info', { write: (text) => said.push(JSON.parse(text).msg) })
  const redis = await connectRedis(line.url, '', log)
  const answers = async () => (await redis.ping().catch(() => '')) === 'PONG'
  await eventually('Redis answers', answers)
  // Where this process is held up as it connects, it may have been away before.
  expect(said.splice(0).at(-1)).toBe('redis is there')

  line.lose()
  expect(await answers()).toBe(false)

  await eventually('Redis answers again', answers)
  expect(said).toEqual(['redis is away', 'redis is there'])
  redis.disconnect()
  await line.close()
})
