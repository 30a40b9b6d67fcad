import { cpus, release, totalmem } from 'node:os'
import pg from 'pg'
import { run } from '../../deploy/local/processes/run.mjs'
import { natsBinary, redisBinary } from '../../deploy/local/servers/binaries.mjs'
import { GENERATOR } from '../load/saturate.mjs'

/**
 * Describes the machine that the figures were measured on, in the first line, then its software and
 * the generators of the load.
 *
 * @param {import('../forum/installation.mjs').Installation} forum
 * @returns {Promise<string[]>}
 */
export async function describeMachine(forum) {
  const meili = await fetch(`${forum.meiliUrl}/version`, {
    headers: { authorization: `Bearer ${forum.meiliKey}` },
  })
  /** @type {any} Meilisearch's own answer */
  const { pkgVersion } = await meili.json()
  const processors = cpus()
  const kernel = /^\d+\.\d+/.exec(release())?.[0] ?? 'unknown'
  return [
    `${processors.length} processors (${processors[0]?.model.trim()}), ` +
      `${(totalmem() / 1024 ** 3).toFixed(0)} GiB of memory, Linux ${kernel}`,
    `Node.js ${process.version}, PostgreSQL ${await versionOfPostgres(forum.databaseUrl)}, ` +
      `Redis ${await versionOf(redisBinary())}, NATS ${await versionOf(natsBinary())}, ` +
      `Meilisearch ${pkgVersion}`,
    `Load of reads by ${GENERATOR}; of writes by undici`,
  ]
}

/** @param {string} databaseUrl */
async function versionOfPostgres(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    const { rows } = await client.query('SHOW server_version')
    return rows[0].server_version.split(' ')[0]
  } finally {
    await client.end()
  }
}

/** @param {Promise<import('../../deploy/local/servers/binaries.mjs').Binary>} finding */
async function versionOf(finding) {
  const { path, env } = await finding
  const { output } = await run({ command: path, args: ['--version'], env })
  return /\d+\.\d+\.\d+/.exec(output)?.[0] ?? 'unknown'
}
