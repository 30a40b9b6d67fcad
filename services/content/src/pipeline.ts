import pg from 'pg'

export interface Statement {
  /**
   * The name under which the connection keeps the plan; each text needs a name of its own.
   * Statements whose text depends on a caller's choices share a family, the part before a colon,
   * and take no room from other statements.
   */
  name: string
  text: string
  values?: unknown[]
}

/**
 * The part of the connection that the driver's query objects write to, as far as it is used here.
 */
interface Connection extends pg.Connection {
  /** Texts by name of the statements that this connection has prepared. */
  parsedStatements: Record<string, string | undefined>
}

/**
 * The most plans of one family kept on a connection. The plan of a feed takes 400 KiB of the
 * server's memory, and feeds differ in thousands of combinations of filters.
 */
const FAMILY_PLANS_MAX = 150

/** Runs one statement and returns its rows. */
export async function ask<R>(client: pg.ClientBase, statement: Statement): Promise<R[]> {
  gather(client)
  return (await lastResult(client, statement)).rows as R[]
}

/**
 * Runs statements in order, and answers only the last: the server acknowledges all of them at once,
 * where each alone would cost a packet and a turn on either side. If one fails, the last rejects
 * with that error, and the statements after the failure do not run.
 *
 * A statement that the connection has not prepared yet goes by itself. All before the last must be
 * part of a transaction: alone they could be committed although the last says that they failed.
 */
export function askTogether(
  client: pg.ClientBase,
  before: Statement[],
  last: Statement,
): Promise<pg.QueryResult>[] {
  gather(client)
  const connection = connectionOf(client)
  // A statement that the driver writes without the final Sync is answered with the next one that
  // has a Sync.
  const riding: Connection = Object.create(connection, { sync: { value: () => {} } })
  const unprepared: Promise<pg.QueryResult>[] = []
  for (const statement of before) {
    if (connection.parsedStatements[statement.name] === statement.text) {
      new pg.Query({ ...statement }).submit(riding)
    } else unprepared.push(lastResult(client, statement))
  }
  return [...unprepared, lastResult(client, last)]
}

/** The last statement sent on each connection; answers come in order. */
const lastSent = new WeakMap<pg.ClientBase, Promise<void>>()

/** Resolves when all statements sent on a connection are answered. */
export async function allAnswered(client: pg.ClientBase): Promise<void> {
  await lastSent.get(client)
}

/** The driver answers with all results up to the Sync, or with the only result. */
async function lastResult(client: pg.ClientBase, statement: Statement): Promise<pg.QueryResult> {
  const sent: Promise<pg.QueryResult | pg.QueryResult[]> = client.query(withPlan(client, statement))
  const answered = () => {}
  lastSent.set(client, sent.then(answered, answered))
  const results = await sent
  return (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult
}

/**
 * Without a name, and so planned each time, if the connection keeps no more plans of the family.
 */
function withPlan(client: pg.ClientBase, { name, text, values = [] }: Statement): pg.QueryConfig {
  const kept = connectionOf(client).parsedStatements
  const isKept = kept[name] !== undefined || hasRoomFor(name, Object.keys(kept))
  return { name: isKept ? name : undefined, text, values }
}

function hasRoomFor(name: string, kept: string[]): boolean {
  const [family, ofFamily] = name.split(':')
  if (ofFamily === undefined) return true
  return kept.filter((other) => other.startsWith(`${family}:`)).length < FAMILY_PLANS_MAX
}

/** Statements sent in one turn of the event loop leave in one packet instead of one each. */
function gather(client: pg.ClientBase): void {
  const { stream } = connectionOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** The driver's types leave `connection` out. */
function connectionOf(client: pg.ClientBase): Connection {
  return (client as unknown as { connection: Connection }).connection
}
