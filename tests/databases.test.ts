import { once } from 'node:events'
import { createConnection } from 'node:net'
import { expect, it } from '@jest/globals'
import { createDatabase, dropDatabase } from './support/databases.ts'

/** Each suite's end has 30 seconds for all it stops; by itself the server waits 60 for a login. */
const ENDS_WITHIN_MS = 20_000
const PROTOCOL = 196_608
const WORDS = Buffer.from('user\0postgres\0database\0postgres\0\0')

/** What begins a session; the server then asks for the password. */
function startup(): Buffer {
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + WORDS.length, 0)
  head.writeInt32BE(PROTOCOL, 4)
  return Buffer.concat([head, WORDS])
}

it(
  'go, though somebody who is lost has not finished logging in',
  async () => {
    const url = await createDatabase()
    const { hostname, port } = new URL(url)
    const lost = createConnection(Number(port), hostname)
    lost.write(startup())
    await once(lost, 'data')

    await expect(dropDatabase(url)).resolves.toBeUndefined()

    lost.destroy()
  },
  ENDS_WITHIN_MS,
)
