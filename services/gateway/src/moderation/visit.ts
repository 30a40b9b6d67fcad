import { parseAnswer } from '@stoa/shared/bus/ask.js'
import type { InputOf, OutputOf, RequestContract } from '@stoa/shared/contracts/contract.js'
import { holdsKey } from '@stoa/shared/identifiers/api-key.js'
import { type Core, settle } from '../core.ts'
import { type Exchange, metaFor } from '../http/exchange.ts'
import { parseInput } from '../http/input.ts'
import { queryOf } from '../http/path-of.ts'
import { firstText, parseQuery } from '../http/query.ts'
import type { Reader } from '../pages/moderation/parts.ts'
import type { KeptDecisions } from './kept-decisions.ts'
import type { Looks } from './looks.ts'
import { formTokenOf, type Session, type SessionStore } from './session-store.ts'

type Raw = Record<string, unknown>

/** The console's answer to a request: a page, or the location to go to next. */
export type ConsoleAnswer =
  | {
      page: string
      status?: number
      cookie?: string
      allow?: readonly string[]
      /** In seconds, if the request may be tried again. */
      retryAfter?: number | undefined
    }
  | { location: string; cookie?: string }

/** The parameters in the address of the filtered queue, and of every page reached from it. */
const QUEUE_PARAMETERS = [
  'status',
  'severity',
  'category',
  'source',
  'rule',
  'agent',
  'moderator',
  'sort',
  'before',
] as const
type QueuePlace = Record<(typeof QUEUE_PARAMETERS)[number], string>

/** The part of the queue to which a page or a form leads back; parameters not given are empty. */
export function queueOf(url: string | undefined): QueuePlace {
  const given = parseQuery(queryOf(url))
  const texts = QUEUE_PARAMETERS.map((name) => [name, firstText(given[name])])
  return Object.fromEntries(texts) as QueuePlace
}

/** The note in a form, unless it holds a key. */
export function noteIn({ note }: Raw): string | undefined {
  return typeof note === 'string' && !holdsKey(note) ? note : undefined
}

export interface ConsoleDeps {
  core: Core
  /** What the console keeps in Redis. */
  sessions: SessionStore
  looks: Looks
  decisions: KeptDecisions
}

/** One request of a moderator who has signed in. */
export class Visit {
  readonly core: Core
  readonly exchange: Exchange
  readonly sessions: SessionStore
  readonly looks: Looks
  readonly decisions: KeptDecisions
  readonly session: Session
  readonly token: string
  /** Parameters of the address, or fields of the form. */
  readonly fields: Raw
  /** Read before anything is done, because a bad address is refused. */
  readonly queue: QueuePlace

  constructor(
    { core, sessions, looks, decisions }: ConsoleDeps,
    exchange: Exchange,
    { session, token }: { session: Session; token: string },
    fields: Raw,
  ) {
    this.core = core
    this.sessions = sessions
    this.looks = looks
    this.decisions = decisions
    this.exchange = exchange
    this.session = session
    this.token = token
    this.fields = fields
    this.queue = queueOf(exchange.req.url)
  }

  get path(): Record<string, string> {
    return this.exchange.path
  }

  /** The decision that led to this page, which confirms it; the texts are empty if none did. */
  get decidedBefore() {
    const { done, about } = this.fields
    return { done: firstText(done), about: firstText(about) }
  }

  /** The note written in a form, to be given back if the form fails. */
  get note(): string | undefined {
    return this.exchange.req.method === 'POST' ? noteIn(this.fields) : undefined
  }

  /** What every page needs to know about the moderator who looks at it. */
  get viewer() {
    const { handle } = this.session
    return { handle, formToken: formTokenOf(this.token), queue: this.queue }
  }

  /** By alert, which other moderator reads it now. */
  readersOf(alerts: readonly { id: string }[]): Promise<ReadonlyMap<string, Reader>> {
    return this.looks.others(
      alerts.map(({ id }) => id),
      this.session.handle,
    )
  }

  /** Asks as the API would, with the same checks, and throws as the API would. */
  async read<C extends RequestContract>(contract: C, raw: Raw): Promise<OutputOf<C>> {
    return parseAnswer(await this.#ask(contract, raw, 'query'))
  }

  /** Reads a part that the page can do without; null if that fails. */
  readOrNull<C extends RequestContract>(contract: C, raw: Raw): Promise<OutputOf<C> | null> {
    return this.read(contract, raw).catch(() => null)
  }

  async act<C extends RequestContract>(contract: C, raw: Raw): Promise<OutputOf<C>> {
    const answer = await this.#ask(contract, raw, 'body')
    await settle(this.core, answer.meta.tags ?? [])
    return parseAnswer(answer)
  }

  #ask<C extends RequestContract>(contract: C, raw: Raw, place: 'query' | 'body') {
    const given = Object.entries(raw).filter(([, value]) => value !== undefined && value !== '')
    // A bad id in the address means that there is no such page; a bad field must be corrected.
    const path = Object.fromEntries(
      Object.entries(this.path).filter(([name, value]) => raw[name] === value),
    )
    const { input } = parseInput(contract, { place, values: Object.fromEntries(given), path })
    return this.core.ask(contract, input as InputOf<C>, metaFor(this.exchange, contract))
  }
}
