import pg from 'pg'

export interface Statement {
  /**
   * Keeps its plan on the connection; give each text its own. Those whose texts depend on what a
   * caller chooses are a family, which stands before a colon, and take no room from others.
   */
  name: string
  text: string
  values?: unknown[]
}

/** What the driver's query objects write to, as far as it is used here. */
interface Connection extends pg.Connection {
  /** Texts by name, of statements this connection has prepared. */
  parsedStatements: Record<string, string | undefined>
}

/**
 * So many plans of one family are kept on a connection. That of a feed takes 400 KiB of the server's
 * memory, and thousands differ in what they are filtered by.
 */
const FAMILY_PLANS_MAX = 150

/** Runs one statement and answers its rows. */
export async function ask<R>(client: pg.ClientBase, statement: Statement): Promise<R[]> {
  gather(client)
  return (await lastResult(client, statement)).rows as R[]
}

/**
 * Runs statements in order, of which only the last is answered: the server acknowledges all of
 * them at once, where each by itself would cost a packet and a turn of either side. The first that
 * fails is what the last rejects with, and what comes behind it is not run.
 *
 * One that the connection has not prepared yet goes by itself. Those before the last must be part
 * of a transaction: alone they could have been committed, although the last says they failed.
 */
export function askTogether(
  client: pg.ClientBase,
  before: Statement[],
  last: Statement,
): Promise<pg.QueryResult>[] {
  gather(client)
  const connection = connectionOf(client)
  // What the driver writes without the Sync at its end is answered with the next that has one.
  const riding: Connection = Object.create(connection, { sync: { value: () => {} } })
  const unprepared: Promise<pg.QueryResult>[] = []
  for (const statement of before) {
    if (connection.parsedStatements[statement.name] === statement.text) {
      new pg.Query({ ...statement }).submit(riding)
    } else unprepared.push(lastResult(client, statement))
  }
  return [...unprepared, lastResult(client, last)]
}

/** What was sent last on each connection; answers come in order. */
const lastSent = new WeakMap<pg.ClientBase, Promise<void>>()

/** Until all that was sent on a connection is answered. */
export async function allAnswered(client: pg.ClientBase): Promise<void> {
  await lastSent.get(client)
}

/** The driver answers all that came back up to the Sync, or the only result there was. */
async function lastResult(client: pg.ClientBase, statement: Statement): Promise<pg.QueryResult> {
  const sent: Promise<pg.QueryResult | pg.QueryResult[]> = client.query(withPlan(client, statement))
  const answered = () => {}
  lastSent.set(client, sent.then(answered, answered))
  const results = await sent
  return (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult
}

/** Where a connection keeps no more plans of its family it goes without its name, and is planned each time. */
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

/** The driver's types leave it out. */
function connectionOf(client: pg.ClientBase): Connection {
  return (client as unknown as { connection: Connection }).connection
}
