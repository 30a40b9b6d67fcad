import { fileURLToPath } from 'node:url'

/** The folder of the packs that ship with the service, at the same path from `src` and `dist`. */
export function packsDir(): string {
  return fileURLToPath(new URL('../../packs', import.meta.url))
}

export function fixturesDir(): string {
  return fileURLToPath(new URL('../../fixtures', import.meta.url))
}
