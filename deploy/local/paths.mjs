import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder, whatever the working directory is. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The folder of everything that `npm start` keeps between runs: databases, logs, secrets. */
export const DATA_DIR = process.env.DATA_DIR ? resolve(process.env.DATA_DIR) : join(ROOT, '.data')

/** Server programs fetched once and shared by `npm start` and `npm test`. */
export const BIN_DIR = join(ROOT, '.data', 'bin')

/**
 * The environment child programs get: the parent's, with this Node first on PATH, so that
 * scripts with `#!/usr/bin/env node` run on the same version.
 *
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnv(extra = {}) {
  return {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    ...extra,
  }
}
