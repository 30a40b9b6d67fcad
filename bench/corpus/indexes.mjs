/**
 * Loading millions of rows into a table with all its indexes and checks takes several times as long
 * as making those afterwards. The database records them before they are dropped, so that the next
 * load can restore them if one was interrupted.
 */
import { inLanes } from './in-lanes.mjs'

const RECORD = 'bench_set_aside'

/** @typedef {import('pg').ClientBase} Client */
/** @typedef {{ tbl: string, name: string, kind: 'f' | 'u' | 'i' | 'v', ddl: string }} SetAside */

/** @type {Record<SetAside['kind'], (tbl: string, name: string) => string>} */
const DROP = {
  f: (tbl, name) => `ALTER TABLE ${tbl} DROP CONSTRAINT ${name}`,
  u: (tbl, name) => `ALTER TABLE ${tbl} DROP CONSTRAINT ${name}`,
  // The index of a constraint is gone with the constraint.
  i: (_tbl, name) => `DROP INDEX IF EXISTS ${name}`,
  v: (tbl) => `ALTER TABLE ${tbl} SET (autovacuum_enabled = false)`,
}

/**
 * Drops the foreign keys, unique constraints and indexes of these tables and turns off their
 * automatic vacuuming, in one transaction.
 *
 * @param {Client} client
 * @param {string[]} tables
 */
export async function setAside(client, tables) {
  await restoreNothingLost(client)
  await client.query('BEGIN')
  await client.query(
    `CREATE TABLE ${RECORD} (tbl text, name text, kind text, ddl text, PRIMARY KEY (tbl, name, kind))`,
  )
  await client.query(
    `INSERT INTO ${RECORD}
     SELECT conrelid::regclass::text, quote_ident(conname),
       CASE contype WHEN 'f' THEN 'f' ELSE 'u' END,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
         CASE contype WHEN 'f' THEN pg_get_constraintdef(oid)
           WHEN 'p' THEN format('PRIMARY KEY USING INDEX %I', conname)
           ELSE format('UNIQUE USING INDEX %I', conname) END)
     FROM pg_constraint
     WHERE contype IN ('f', 'u', 'p')
       AND (conrelid = ANY($1::regclass[]) OR confrelid = ANY($1::regclass[]))
       AND (contype = 'f' OR conrelid = ANY($1::regclass[]))`,
    [tables],
  )
  await client.query(
    `INSERT INTO ${RECORD}
     SELECT x.indrelid::regclass::text, x.indexrelid::regclass::text, 'i',
       pg_get_indexdef(x.indexrelid)
     FROM pg_index x
     WHERE x.indrelid = ANY($1::regclass[])`,
    [tables],
  )
  await client.query(
    `INSERT INTO ${RECORD}
     SELECT t, 'vacuuming', 'v', format('ALTER TABLE %s RESET (autovacuum_enabled)', t)
     FROM unnest($1::text[]) AS t`,
    [tables],
  )
  for (const { tbl, name, kind } of await listed(client)) await client.query(DROP[kind](tbl, name))
  await client.query('COMMIT')
}

/**
 * @param {Client} client
 * @returns {Promise<SetAside[]>} foreign keys first, because they depend on the unique
 *   constraints; the indexes of large tables before those of small ones, so that lanes end together
 */
async function listed(client) {
  const { rows } = await client.query(
    `SELECT * FROM ${RECORD}
     ORDER BY array_position('{f,u,i,v}', kind), pg_relation_size(tbl::regclass) DESC, name`,
  )
  return rows
}

/** @param {Client} client */
async function isSetAside(client) {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [RECORD])
  return rows[0].there
}

/** @param {Client} client */
async function restoreNothingLost(client) {
  if (await isSetAside(client)) await restore([client], () => {})
}

/**
 * Makes everything again that `setAside` dropped, one statement per lane at a time.
 *
 * @param {Client[]} lanes
 * @param {(done: number, total: number, name: string) => void} onProgress
 */
export async function restore(lanes, onProgress) {
  const [first] = lanes
  if (!first || !(await isSetAside(first))) return
  const all = await listed(first)
  let done = 0
  const make = async (
    /** @type {Client} */ client,
    /** @type {{ name: string, statements: string[] }} */ { name, statements },
  ) => {
    onProgress(done, all.length, name)
    for (const statement of statements) await client.query(statement)
    done += statements.length
  }
  const of = (/** @type {SetAside['kind']} */ wanted) => all.filter(({ kind }) => kind === wanted)
  const indexes = of('i').map(({ name, ddl }) => ({ name, statements: [ddl] }))
  await inLanes(lanes, indexes, make)
  // These statements lock their tables, so other lanes would only wait.
  for (const { ddl } of [...of('u'), ...of('v')]) await first.query(ddl)
  const keys = of('f')
  for (const { ddl } of keys) await first.query(`${ddl} NOT VALID`)
  await inLanes(lanes, checksByTable(keys), make)
  await first.query(`DROP TABLE ${RECORD}`)
  onProgress(done, all.length, '')
}

/**
 * Two checks of one table would wait for each other's lock, so one lane runs all checks of a table.
 *
 * @param {SetAside[]} keys
 */
function checksByTable(keys) {
  /** @type {Map<string, { name: string, statements: string[] }>} */
  const checks = new Map()
  for (const { tbl, name } of keys) {
    const check = checks.get(tbl) ?? { name: `checking ${tbl}`, statements: [] }
    check.statements.push(`ALTER TABLE ${tbl} VALIDATE CONSTRAINT ${name}`)
    checks.set(tbl, check)
  }
  return [...checks.values()].sort((a, b) => b.statements.length - a.statements.length)
}
