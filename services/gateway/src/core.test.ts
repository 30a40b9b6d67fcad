import { expect, it } from '@jest/globals'
import { CHANGES_TAG } from '@stoa/shared/answers/cache-tags.js'
import { issueKey } from '@stoa/shared/identifiers/api-key.js'
import { KeyCache } from './auth/key-cache.ts'
import { ResponseCache } from './cache/response-cache.ts'
import { changesAppended, outdate, settle } from './core.ts'
import { createStreams } from './stream/streams.ts'
import { storedKey } from './testing/stored-key.ts'

/** Caches with a key and a page of the change log, each asked for once until a change is told. */
function caches() {
  const asked = { key: 0, page: 0 }
  const keys = new KeyCache(async () => {
    asked.key++
    return storedKey(issueKey())
  })
  const times = { freshMs: 1_000, graceMs: 20, staleIfErrorMs: 10_000 }
  const cache = new ResponseCache({ bytesMax: 1_024 * 1_024, ...times }, () => 0)
  const read = async () => {
    await keys.find({ publicId: 'public' })
    await cache.read('page', async () => {
      asked.page++
      return { body: Buffer.from('page'), contentType: 'text/plain', tags: [CHANGES_TAG] }
    })
    return { ...asked }
  }
  return { keys, cache, read }
}

it('settling a write makes the gateway read the keys and the change log of the write again', async () => {
  const { keys, cache, read } = caches()
  await read()
  expect(await read()).toEqual({ key: 1, page: 1 })

  await settle({ keys, cache }, ['key:key_1'])

  expect(await read()).toEqual({ key: 2, page: 2 })
})

it('an event about an account makes the gateway look up the keys of the account again', async () => {
  const { keys, cache, read } = caches()
  await read()

  outdate({ keys, cache }, ['account:ann'])

  expect(await read()).toEqual({ key: 2, page: 1 })
})

it('new changes make the gateway read the change log again and wake the streams', async () => {
  const { cache, read } = caches()
  const streams = createStreams({ max: 1, perAddressMax: 1 })
  let woken = 0
  streams.onWake(() => woken++)
  await read()

  changesAppended({ cache, streams })

  streams.close()
  expect([await read(), woken]).toEqual([{ key: 1, page: 2 }, 1])
})
