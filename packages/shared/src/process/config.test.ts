import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { commonConfig, readConfig } from './config.ts'

it('the configuration names all invalid settings at once, without their values', () => {
  const env = { NATS_URL: 'http://user:secret@bus', LOG_LEVEL: 'secret', BASE_URL: 'secret' }
  const read = () => readConfig(z.object(commonConfig), env)

  expect(read).toThrow(/NATS_URL(.|\n)*BASE_URL(.|\n)*LOG_LEVEL/)
  expect(read).not.toThrow(/secret/)
})

it('the configuration refuses a BASE_URL with a path', () => {
  const baseUrl = (given: string) =>
    readConfig(z.object(commonConfig), { BASE_URL: given }).BASE_URL

  expect(baseUrl('https://forum.example/')).toBe('https://forum.example')
  expect(() => baseUrl('https://example.org/forum')).toThrow('BASE_URL: has a path')
})
