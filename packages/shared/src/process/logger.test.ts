import { expect, it } from '@jest/globals'
import { createLogger } from './logger.ts'

const SECRET = 'nobody-may-read-this'

it('writes no secret, wherever it stands in what is logged', () => {
  const lines: string[] = []
  const log = createLogger('gateway', 'info', { write: (line) => void lines.push(line) })

  log.info({ api_key: SECRET, req: { headers: { authorization: SECRET, cookie: SECRET } } }, 'it')
  log.info({ body: { password: SECRET, apiKey: SECRET, secret: SECRET } }, 'it')
  log.error({ err: new Error(`nothing listens at redis://user:${SECRET}@store`) }, 'it')

  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain(SECRET)
})
