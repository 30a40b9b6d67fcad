import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The forum's own answers as they were captured: `<name>.body` and `<name>.json` with its headers.
 *
 * @returns {{ name: string, headers: Record<string, string>, body: Buffer }[]}
 */
export function readAnswers() {
  const folder = process.env.ANSWERS ?? '.'
  return readdirSync(folder)
    .filter((file) => file.endsWith('.body'))
    .map((file) => {
      const name = file.slice(0, -'.body'.length)
      const headers = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
      return { name, headers, body: readFileSync(join(folder, file)) }
    })
}

/**
 * Tells the parent process where the server listens, and exits when the parent is gone.
 *
 * @param {import('node:http').Server} server
 */
export function announce(server) {
  server.on('listening', () => {
    const address = server.address()
    process.send?.({ port: typeof address === 'object' ? address?.port : address })
  })
  process.on('disconnect', () => process.exit())
}
