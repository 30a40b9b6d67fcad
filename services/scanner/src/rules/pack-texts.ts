import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every JSON file of a folder of rule packs, by its name: what one rule set is compiled from. */
export type PackTexts = Readonly<Record<string, string>>

export function readPackTexts(dir: string): PackTexts {
  const names = readdirSync(dir).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(join(dir, name), 'utf8')]),
  )
}
