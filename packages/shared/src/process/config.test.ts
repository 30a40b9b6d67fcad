import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { commonConfig, readConfig } from './config.ts'

it('names every bad setting at once, and shows the value of none', () => {
  const env = { NATS_URL: 'http://user:secret@bus', LOG_LEVEL: 'secret', BASE_URL: 'secret' }
  const read = () => readConfig(z.object(commonConfig), env)

  expect(read).toThrow(/NATS_URL(.|\n)*BASE_URL(.|\n)*LOG_LEVEL/)
  expect(read).not.toThrow(/secret/)
})

it('takes no address below a path for the forum, where links of its pages would lead elsewhere', () => {
  const baseUrl = (given: string) =>
    readConfig(z.object(commonConfig), { BASE_URL: given }).BASE_URL

  expect(baseUrl('https://forum.example/')).toBe('https://forum.example')
  expect(() => baseUrl('https://example.org/forum')).toThrow('BASE_URL: has a path')
})
