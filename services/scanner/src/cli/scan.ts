import { readFileSync } from 'node:fs'
import { badUsage, readCommandLine } from '@stoa/shared/process/command-line.mjs'
import { loadRules } from '../loading/load-rules.ts'
import { packsDir } from '../rules/packs-dir.ts'
import { scan } from '../scan.ts'

const USAGE = 'usage: npm run scan -- FILE|-   (- reads standard input)'
const EXIT_BY_VERDICT = { allow: 0, flag: 0, quarantine: 1, block: 1 } as const

/** Scans a file or standard input and prints JSON; exit code 1 on quarantine or block. */
function main(): void {
  const { positionals } = readCommandLine(USAGE, { allowPositionals: true })
  const [path] = positionals
  if (path === undefined || positionals.length > 1) badUsage(USAGE, 'Name one file to scan')
  const text = read(path)
  const result = scan({ body_md: text }, loadRules(packsDir()))
  const { key_hashes: _hashes, ...shown } = result
  process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
  process.exitCode = EXIT_BY_VERDICT[result.verdict]
}

function read(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    return badUsage(USAGE, `${path} cannot be read: ${(error as Error).message}`)
  }
}

main()
