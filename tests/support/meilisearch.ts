import { describe, it } from '@jest/globals'

const { TEST_MEILI_URL: url = '', TEST_MEILI_KEY: key = '' } = process.env

/** Of all tests; without an address where there is none. */
export const MEILI = { url, key }

/**
 * For tests that need it: they are left out where there is none, which `npm test` says, and the hooks
 * of a file or group in which no test is left do not run.
 */
export const describeWithMeili = url ? describe : describe.skip
export const itWithMeili = url ? it : it.skip
