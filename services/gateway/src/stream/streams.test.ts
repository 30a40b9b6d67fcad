import { afterEach, expect, it, jest } from '@jest/globals'
import { createStreams } from './streams.ts'

afterEach(() => {
  jest.useRealTimers()
})

it('a stream that begins after all streams were ended is ended at once', () => {
  const streams = createStreams({ max: 1, perAddressMax: 1 })
  const ended: string[] = []
  streams.onStop(() => ended.push('before'))

  streams.close()
  streams.onStop(() => ended.push('after'))

  expect(ended).toEqual(['before', 'after'])
})

it('open streams are woken every two seconds until they are closed', () => {
  jest.useFakeTimers()
  const streams = createStreams({ max: 1, perAddressMax: 1 })
  let woken = 0
  streams.onWake(() => woken++)

  jest.advanceTimersByTime(2_000)
  streams.close()
  jest.advanceTimersByTime(10_000)

  expect(woken).toBe(1)
})

it('a wake reaches open streams, but not ended streams', () => {
  const streams = createStreams({ max: 1, perAddressMax: 1 })
  const woken: string[] = []
  const leave = streams.onWake(() => woken.push('before'))
  streams.onWake(() => woken.push('after'))

  leave()
  streams.wake()
  streams.close()

  expect(woken).toEqual(['after'])
})
