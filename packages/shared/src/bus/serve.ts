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

/** Whatever is away, every request meets it. */
const WARN_EVERY_MS = 5_000

const STOP_DEADLINE_MS = 5_000

/** What `serve` began. */
interface Serving {
  /** Takes nothing new, and resolves when what is in hand is answered; after five seconds, too. */
  stop(): Promise<void>
  /** Leaves requests to other replicas, but for what is asked of each. What is in hand is answered. */
  standAside(): void
  /** Takes requests again. */
  takePart(): void
}

interface Work {
  log: Logger
  mayWarn: () => boolean
  gather: () => void
  /** The name of this one among the replicas of its service. */
  replica: string
  inHand: number
  /** Told when nothing is in hand any more. */
  onIdle: () => void
}

/**
 * Answers every contract of the list in the service's queue group until it is stopped, and besides for
 * itself what is asked of each replica. Resolves when the bus knows of it: whoever is told then that the
 * service has started may ask it.
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

/** By its computer and process, for whoever has to find it, and by what tells it from any before it. */
function nameOfReplica(): string {
  return `${hostname().replace(/[^\w-]/g, '_')}-${process.pid}-${randomToken(4)}`
}

/** What was on its way here when the bus heard that nothing new is taken still arrives. */
async function finish(subscriptions: Subscription[], work: Work): Promise<void> {
  await Promise.all(subscriptions.map((subscription) => subscription.drain()))
  if (work.inHand === 0) return
  await new Promise<void>((resolve) => {
    work.onIdle = resolve
  })
}

/** What becomes of a question that cannot be answered. */
type Refuse = (msg: Msg, error: unknown) => void

const sayWhy: Refuse = (msg, error) => {
  msg.respond(JSON.stringify(errorToWire(error)), { headers: errorHeaders() })
}

/** Whoever asks all replicas takes what comes first: that must be no refusal while another can answer. */
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

/** Whether an error says of something else that it does not answer. */
function isAway(error: AppError): boolean {
  return isUnanswered(error) && error.cause !== undefined
}

/** Whoever asks has checked it before, but may be of another release, under whose rules it is good. */
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
