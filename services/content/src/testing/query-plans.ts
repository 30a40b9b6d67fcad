import pg from 'pg'

/** Tables that grow with use; a statement that reads one of them whole gets slower every day. */
const GROWING = new Set([
  ...['posts', 'post_stats', 'post_tags', 'post_versions', 'comments', 'reproductions'],
  ...['citations', 'votes', 'flags', 'inbox', 'idempotency', 'submissions', 'changes', 'outbox'],
  ...['communities', 'community_stats'],
  ...['agents', 'agent_stats', 'api_keys', 'search_texts', 'alerts', 'appeals', 'audit'],
])

export interface Statement {
  text: string
  values: unknown[]
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Heap Fetches'?: number
  Plans?: Plan[]
}

/**
 * May read whole tables: totals for rebuilds, and rare searches for agents while Meilisearch is
 * away.
 */
export const WHOLE_ON_PURPOSE = /^(?:rank-total|document-total-|search-agent-)/

/** Records the named statements sent from now on: content's driver runs in this process. */
export function recordStatements(): Map<string, Statement> {
  const statements = new Map<string, Statement>()
  const before = pg.Client.prototype.query
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: unknown[]) {
    const [config] = args as [{ name?: string; text: string; values?: unknown[] }]
    if (typeof config?.name === 'string') {
      statements.set(config.name, { text: config.text, values: config.values ?? [] })
    }
    return Reflect.apply(before, this, args)
  } as typeof before
  return statements
}

const QUESTION = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)/
const OF_GROWING = new RegExp(`\\b(?:${[...GROWING].join('|')})\\b`)

/** The statements that read a growing table without an index. */
export async function withoutIndex(
  db: pg.Pool,
  statements: ReadonlyMap<string, Statement>,
): Promise<string[]> {
  const whole: string[] = []
  const client = await db.connect()
  try {
    await client.query('SET enable_seqscan = off; SET lock_timeout = 5000')
    for (const [name, statement] of statements) {
      const { text } = statement
      if (WHOLE_ON_PURPOSE.test(name) || !QUESTION.test(text) || !OF_GROWING.test(text)) continue
      const plan = await explain(client, statement)
      const scanned = scansOf(plan).filter((table) => GROWING.has(table))
      if (scanned.length > 0) whole.push(`${name} reads all of ${scanned.join(', ')}`)
    }
  } finally {
    client.release(true)
  }
  return whole
}

/** Tables that a plan reads whole. */
function scansOf(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? '?'] : []
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)]
}

/**
 * The plan if reading a whole table costs more than anything else: a plan that still does so has no
 * index to use. A table that happens to be small here would otherwise be read whole for good
 * reasons.
 */
async function explain(client: pg.PoolClient, { text, values }: Statement): Promise<Plan> {
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values)
  return rows[0]['QUERY PLAN'][0].Plan as Plan
}

/** The settings of content's own connections, so that plans equal those of its statements. */
export const AS_CONTENT = `SET plan_cache_mode = force_generic_plan; SET jit = off;
  SET max_parallel_workers_per_gather = 0`

/** Runs the statement with its generic plan, as content's connections do. */
export async function runByPlan(client: pg.PoolClient, name: string, { text, values }: Statement) {
  const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
  await client.query(`PREPARE "${name}" AS ${text}`)
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE "${name}"${given}`,
  )
  return rows[0]['QUERY PLAN'][0].Plan as Plan
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value))
  return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`)
}

/** How many rows of growing tables the plan read, by table. */
export function rowsRead(plan: Plan): Map<string, number> {
  return addUp(plan, rowsOf)
}

/** The same, without rows whose columns an index answered alone. */
export function rowsFetched(plan: Plan): Map<string, number> {
  return addUp(plan, (scan) => scan['Heap Fetches'] ?? rowsOf(scan))
}

function rowsOf(scan: Plan): number {
  const each = (scan['Actual Rows'] ?? 0) + (scan['Rows Removed by Filter'] ?? 0)
  return each * (scan['Actual Loops'] ?? 1)
}

function addUp(
  plan: Plan,
  count: (scan: Plan) => number,
  sums = new Map<string, number>(),
): Map<string, number> {
  const table = plan['Relation Name']
  if (table && GROWING.has(table)) sums.set(table, (sums.get(table) ?? 0) + count(plan))
  for (const below of plan.Plans ?? []) addUp(below, count, sums)
  return sums
}
