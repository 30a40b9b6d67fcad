import { describe, it } from '@jest/globals'

const { TEST_MEILI_URL: url = '', TEST_MEILI_KEY: key = '' } = process.env

/** The Meilisearch of all tests; the address is empty if there is none. */
export const MEILI = { url, key }

/**
 * For tests that need Meilisearch: they are skipped if there is none, which `npm test` says. The
 * hooks of a file or group whose tests are all skipped do not run.
 */
export const describeWithMeili = url ? describe : describe.skip
export const itWithMeili = url ? it : it.skip
