import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import { STREAMS } from '../bus/streams.ts'
import { isBusUrl, splitUrl } from '../process/bus-address.mjs'
import { badUsage, readCommandLine } from '../process/command-line.mjs'
import { isError } from '../process/is-error.ts'

/**
 * `node dead-letters.js`: lists the events that a consumer gave up. `node dead-letters.js replay
 * NUMBER` sends one to its subject again and drops the letter. NATS_URL must log in as `operator`.
 */
const LISTED_MAX = 200
const CONNECT_TIMEOUT_MS = 5_000

interface Letter {
  reason: string
  stream: string
  stream_sequence: number
  subject: string
  at: string
  event: string
}

const USAGE = `usage: npm run dead-letters [-- list | replay NUMBER]`

// A connection that was given up, to a server that hangs, must not keep the process alive.
process.exit(await main())

async function main(): Promise<number> {
  const { positionals } = readCommandLine(USAGE, { allowPositionals: true })
  const [command = 'list', number = '', ...further] = positionals
  const isReplay = command === 'replay' && /^[1-9]\d{0,14}$/.test(number)
  const isList = command === 'list' && number === ''
  if (further.length > 0 || !(isList || isReplay)) {
    const unknown = `There is no command ${JSON.stringify(positionals.join(' '))}`
    badUsage(USAGE, command === 'replay' ? 'Name one letter by its number' : unknown)
  }
  const url = process.env.NATS_URL ?? ''
  if (!isBusUrl(url)) {
    console.error(
      'NATS_URL is not set, or not an address: set it to the address of the bus, with the login of operator.',
    )
    return 2
  }
  let connection: NatsConnection
  try {
    connection = await connect({ ...splitUrl(url), timeout: CONNECT_TIMEOUT_MS })
  } catch (error) {
    const reason = isError(error) ? error.message : error
    console.error(
      `The bus does not answer (${reason}): check that the forum runs and that NATS_URL is right.`,
    )
    return 1
  }
  try {
    await (isReplay ? replay(connection, Number(number)) : list(connection)).finally(() =>
      connection.close(),
    )
    return 0
  } catch (error) {
    console.error(isError(error) ? error.message : error)
    return 1
  }
}

async function list(connection: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(connection)
  const { state } = await manager.streams.info(STREAMS.dead.name, { deleted_details: true })
  // A stream that never held a letter has no numbers at all.
  if (state.messages === 0) {
    console.log('No event has been given up.')
    return
  }
  // Letters that were replayed or dropped leave gaps in the numbers, which are skipped.
  const gone = new Set(state.deleted)
  const numbers: number[] = []
  for (let number = state.last_seq; number >= state.first_seq; number--) {
    if (numbers.length === LISTED_MAX) break
    if (!gone.has(number)) numbers.push(number)
  }
  for (const number of numbers.reverse()) {
    const found = await letterAt(manager, number)
    if (!found) continue
    const { letter, subject } = found
    const from = `${letter.subject} (${letter.stream} ${letter.stream_sequence})`
    console.log(`${number}  ${letter.at}  ${subject}  ${from}: ${letter.reason}`)
  }
  const older = state.messages - numbers.length
  if (older > 0) console.log(`… and ${older} older`)
}

async function replay(connection: NatsConnection, number: number): Promise<void> {
  const manager = await jetstreamManager(connection)
  const found = await letterAt(manager, number)
  if (!found) throw new Error(`There is no dead letter ${number}.`)
  await jetstream(connection).publish(found.letter.subject, found.letter.event)
  await manager.streams.deleteMessage(STREAMS.dead.name, number)
  console.log(`The event was sent to ${found.letter.subject} again.`)
}

async function letterAt(
  manager: JetStreamManager,
  number: number,
): Promise<{ letter: Letter; subject: string } | undefined> {
  const message = await manager.streams.getMessage(STREAMS.dead.name, { seq: number })
  return message ? { letter: message.json<Letter>(), subject: message.subject } : undefined
}
