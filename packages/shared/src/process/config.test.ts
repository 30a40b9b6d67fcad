import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { commonConfig, readConfig } from './config.ts'

it('names every bad setting at once, and shows the value of none', () => {
  const env = { NATS_URL: 'http://user:secret@bus', LOG_LEVEL: 'secret', BASE_URL: 'secret' }
  const read = () => readConfig(z.object(commonConfig), env)

  expect(read).toThrow(/NATS_URL(.|\n)*BASE_URL(.|\n)*LOG_LEVEL/)
  expect(read).not.toThrow(/secret/)
})
