import { hostname } from 'node:os'
import type { Msg, Subscription } from '@nats-io/nats-core'
import {
  type InputOf,
  type OutputOf,
  ofEach,
  ofOne,
  type RequestContract,
} from '../contracts/contract.ts'
import { AppError, errorToWire, isAppError, isUnanswered } from '../errors/errors.ts'
import { fieldErrors } from '../errors/field-errors.ts'
import { randomToken } from '../identifiers/ids.ts'
import { type Logger, onceIn } from '../process/logger.ts'
import { within } from '../process/within.ts'
import type { Bus } from './bus.ts'
import { errorHeaders, type Meta, metaFromHeaders, type ReplyMeta, replyHeaders } from './meta.ts'
import { RawJson } from './raw-json.ts'

export interface Reply<T> {
  data: T | RawJson<T>
  meta: ReplyMeta
}

/** An answer and what the gateway should know about it. */
export function reply<T>(data: T | RawJson<T>, meta: ReplyMeta = {}): Reply<T> {
  return { data, meta }
}

/** A contract tied to the function that answers it. */
export interface Answer<Deps> {
  contract: RequestContract
  run: (deps: Deps, input: never, meta: Meta) => Promise<Reply<unknown>>
}

/** Ties a contract to its function; a wrong type in either does not compile. */
export function answer<Deps, C extends RequestContract>(
  contract: C,
  run: (deps: Deps, input: InputOf<C>, meta: Meta) => Promise<Reply<OutputOf<C>>>,
): Answer<Deps> {
  return { contract, run: run as Answer<Deps>['run'] }
}

/** More than this in hand means the service is behind: refusing at once beats a late answer. */
const IN_FLIGHT_MAX = 512

/** While something is away, every request meets the same failure. */
const WARN_EVERY_MS = 5_000

const STOP_DEADLINE_MS = 5_000

/** What `serve` returns. */
interface Serving {
  /** Takes no new requests, and resolves when those in hand are answered, or after five seconds. */
  stop(): Promise<void>
  /**
   * Leaves requests to other replicas, except those asked of each. Requests in hand are answered.
   */
  standAside(): void
  /** Takes requests again. */
  takePart(): void
}

interface Work {
  log: Logger
  mayWarn: () => boolean
  gather: () => void
  /** The name of this replica of its service. */
  replica: string
  inHand: number
  /** Called when no request is in hand any more. */
  onIdle: () => void
}

/**
 * Answers every contract of the list in the service's queue group until it is stopped, and also the
 * requests that are sent to each replica. Resolves when the bus knows the subscriptions, so that
 * requests may be sent as soon as the service is reported as started.
 */
export async function serve<Deps>(
  bus: Bus,
  deps: Deps,
  answers: Answer<Deps>[],
  log: Logger,
): Promise<Serving> {
  const work: Work = {
    log,
    mayWarn: onceIn(WARN_EVERY_MS),
    gather: bus.gather,
    replica: nameOfReplica(),
    inHand: 0,
    onIdle: () => {},
  }
  const take = (entry: Answer<Deps>, refuse: Refuse) => (error: Error | null, msg: Msg) => {
    if (!error) void answerOne(entry, deps, msg, work, refuse)
  }
  const takeShare = () =>
    answers.map((entry) => {
      const { name, owner } = entry.contract
      return bus.nc.subscribe(`rpc.${name}`, { queue: owner, callback: take(entry, sayWhy) })
    })
  const asEach = answers.filter(({ contract }) => contract.isForEach)
  const ofThis = asEach.flatMap((entry) => {
    const [each, one] = [ofEach(entry.contract), ofOne(entry.contract, work.replica)]
    return [
      bus.nc.subscribe(`rpc.${each.name}`, { callback: take(entry, leaveToOthers) }),
      bus.nc.subscribe(`rpc.${one.name}`, { callback: take(entry, sayWhy) }),
    ]
  })
  let shared = takeShare()
  let isStopped = false
  await bus.settled()
  return {
    stop: () => {
      isStopped = true
      return within(STOP_DEADLINE_MS, finish([...shared, ...ofThis], work))
    },
    standAside: () => {
      for (const subscription of shared.splice(0)) void subscription.drain().catch(() => {})
    },
    takePart: () => {
      if (shared.length === 0 && !isStopped) shared = takeShare()
    },
  }
}

/**
 * Host and process, to find the replica by, and a token that differs from any replica before it.
 */
function nameOfReplica(): string {
  return `${hostname().replace(/[^\w-]/g, '_')}-${process.pid}-${randomToken(4)}`
}

/** Requests that were under way when the bus learned that no more are taken still arrive. */
async function finish(subscriptions: Subscription[], work: Work): Promise<void> {
  await Promise.all(subscriptions.map((subscription) => subscription.drain()))
  if (work.inHand === 0) return
  await new Promise<void>((resolve) => {
    work.onIdle = resolve
  })
}

/** What becomes of a request that cannot be answered. */
type Refuse = (msg: Msg, error: unknown) => void

const sayWhy: Refuse = (msg, error) => {
  msg.respond(JSON.stringify(errorToWire(error)), { headers: errorHeaders() })
}

/**
 * The first answer of all replicas counts, so a replica must not refuse while another can answer.
 */
const leaveToOthers: Refuse = () => {}

async function answerOne<Deps>(
  { contract, run }: Answer<Deps>,
  deps: Deps,
  msg: Msg,
  work: Work,
  refuse: Refuse,
): Promise<void> {
  work.inHand++
  let meta: Meta | undefined
  try {
    if (work.inHand > IN_FLIGHT_MAX) {
      const cause = new Error(`more than ${IN_FLIGHT_MAX} requests are in hand`)
      throw new AppError('unavailable', { retry_after_seconds: 1 }, { cause })
    }
    meta = metaFromHeaders(msg.headers)
    const input = parseInput(contract, msg)
    const { data, meta: about } = await run(deps, input as never, meta)
    const json = data instanceof RawJson ? data.json : JSON.stringify(data)
    work.gather()
    const answered = contract.isForEach ? { ...about, replica: work.replica } : about
    msg.respond(json, { headers: replyHeaders(answered) })
  } catch (error) {
    const about = { err: error, request: contract.name, request_id: meta?.requestId }
    if (!isAppError(error)) work.log.error(about, 'bug')
    else if (isAway(error) && work.mayWarn()) work.log.warn(about, 'something is away')
    else if (isLetThrough(error) && work.mayWarn()) work.log.warn(about, 'the asker took bad input')
    refuse(msg, error)
  } finally {
    if (--work.inHand === 0) work.onIdle()
  }
}

/** Whether an error says that some other part does not answer. */
function isAway(error: AppError): boolean {
  return isUnanswered(error) && error.cause !== undefined
}

/**
 * The sender has checked the input, but may be of another release under whose rules it is valid.
 */
function parseInput(contract: RequestContract, msg: Msg): unknown {
  const raw = msg.json<Record<string, unknown>>()
  const parsed = contract.input.safeParse(raw)
  if (parsed.success) return parsed.data
  const errors = fieldErrors(parsed.error.issues, { place: 'body', aliasOf: {}, raw })
  throw new AppError('validation_failed', { errors }, { cause: parsed.error })
}

function isLetThrough({ code, cause }: AppError): boolean {
  return code === 'validation_failed' && cause !== undefined
}
