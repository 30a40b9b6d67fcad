import { expect, it } from '@jest/globals'
import { createLogger } from './logger.ts'

const SECRET = 'nobody-may-read-this'

it('the logger writes no secret, wherever it is in the logged object', () => {
  const lines: string[] = []
  const log = createLogger('gateway', 'info', { write: (line) => void lines.push(line) })

  log.info({ api_key: SECRET, req: { headers: { authorization: SECRET, cookie: SECRET } } }, 'it')
  log.info({ body: { password: SECRET, apiKey: SECRET, secret: SECRET } }, 'it')
  log.error({ err: new Error(`nothing listens at redis://user:${SECRET}@store`) }, 'it')

  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain(SECRET)
})

it('the logger writes the cause of an error, and stops if the causes are circular', () => {
  const lines: string[] = []
  const log = createLogger('gateway', 'info', { write: (line) => void lines.push(line) })
  const cause = new Error('the store is away')
  const err = new Error('it failed', { cause })
  cause.cause = err

  log.error({ err }, 'it')

  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    err: { message: 'it failed', cause: { message: 'the store is away' } },
  })
})
