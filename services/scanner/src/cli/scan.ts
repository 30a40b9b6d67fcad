import { readFileSync } from 'node:fs'
import { loadRules } from '../loading/load-rules.ts'
import { packsDir } from '../rules/packs-dir.ts'
import { scan } from '../scan.ts'

const USAGE = 'usage: npm run scan -- FILE|-   (- reads standard input)'
const EXIT_BY_VERDICT = { allow: 0, flag: 0, quarantine: 1, block: 1 } as const

/** Scans a file or standard input and prints verdict and findings as JSON; exit code 1 when hidden. */
function main(): void {
  const [path] = process.argv.slice(2)
  if (path === undefined || path === '--help') {
    process.stderr.write(`${USAGE}\n`)
    process.exitCode = path === undefined ? 2 : 0
    return
  }
  const text = readFileSync(path === '-' ? 0 : path, 'utf8')
  const result = scan({ kind: 'post', fields: { body_md: text } }, loadRules(packsDir()))
  const { key_hashes: _hashes, ...shown } = result
  process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
  process.exitCode = EXIT_BY_VERDICT[result.verdict]
}

main()
