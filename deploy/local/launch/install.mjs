import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { childEnv, ROOT } from '../paths.mjs'
import { run } from '../processes/run.mjs'

const PNPM = 'pnpm@12.21.0'
const STAMP = join(ROOT, 'node_modules', '.stoa-installed')

/**
 * Installs the dependencies exactly as locked; does nothing when that was done for the same
 * lock file, manifests and Node version.
 *
 * @param {{ signal: AbortSignal }} options
 * @throws {Error} when the installation fails; its output has been shown by then
 */
export async function install({ signal }) {
  const wanted = fingerprint()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  console.log('Installing dependencies (about a minute the first time) ...')
  const { code, output } = await run({
    command: 'npx',
    args: ['--yes', PNPM, 'install', '--frozen-lockfile', '--reporter=append-only'],
    cwd: ROOT,
    env: childEnv({ CI: 'true' }),
    show: true,
    signal,
  })
  if (code !== 0) throw new Error(`The dependencies could not be installed. ${output}`.trim())
  writeFileSync(STAMP, wanted)
}

function fingerprint() {
  const hash = createHash('sha256').update(process.versions.modules)
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests()]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)))
  }
  return hash.digest('hex')
}

/** The package.json of every workspace package. */
function manifests() {
  const nested = ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
  )
  return [...nested, 'tests', 'bench']
    .map((folder) => join(folder, 'package.json'))
    .filter((file) => existsSync(join(ROOT, file)))
    .sort()
}
