import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of every JSON file in a folder of packs, by file name; a rule set is made from it. */
export type PackTexts = Readonly<Record<string, string>>

export function readPackTexts(dir: string): PackTexts {
  const names = readdirSync(dir).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(join(dir, name), 'utf8')]),
  )
}
