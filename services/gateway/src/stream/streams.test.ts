import { expect, it } from '@jest/globals'
import { createStreams } from './streams.ts'

it('ends a stream that begins after all were ended', () => {
  const streams = createStreams({ max: 1, perAddressMax: 1, isLimited: true })
  const ended: string[] = []
  streams.onStop(() => ended.push('before'))

  streams.close()
  streams.onStop(() => ended.push('after'))

  expect(ended).toEqual(['before', 'after'])
})
