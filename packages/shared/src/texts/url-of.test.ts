import { expect, it } from '@jest/globals'
import { urlOf } from './url-of.ts'

/** Enough calls to make the engine compile the function. */
const CALLS = 100_000

it('urlOf reads an address the same way however often it is called', () => {
  const host = () => urlOf('https://b\u00fccher.example/')?.hostname
  // Its bytes would be a letter if they were read as UTF-8.
  const none = () => urlOf('https://a\u00e2\u00b4\u00b0.example/')
  const relative = () => urlOf('/a', 'https://b\u00fccher.example/')?.hostname
  const isRead = () =>
    host() === 'xn--bcher-kva.example' && relative() === host() && none() === null

  const first = Array.from({ length: CALLS }, isRead).indexOf(false)

  expect(first).toBe(-1)
})
