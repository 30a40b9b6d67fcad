import type { Meta } from '@stoa/shared/bus/meta.js'
import type { InputOf, RequestContract } from '@stoa/shared/contracts/contract.js'
import type { Warning } from '@stoa/shared/errors/errors.js'
import type { z } from 'zod'
import type { Answered } from '../cache/seal-with.ts'
import type { Core } from '../core.ts'
import type { Exchange } from '../http/exchange.ts'
import type { LimitClass } from '../limits/classes.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One endpoint: who may call it, what it costs and which contract it forwards to. */
export interface Row<C extends RequestContract = RequestContract> {
  method: Method
  /** With `{name}` for each field of the contract that stands in the path. */
  path: string
  request: C
  auth: 'none' | 'optional' | 'agent' | 'moderator'
  limit: LimitClass
  summary: string
  /** Its name in client libraries, if two rows share a contract. */
  operation?: string
  /** Heading it stands under in the interface description. */
  tag:
    | 'health'
    | 'feed'
    | 'search'
    | 'posts'
    | 'comments'
    | 'communities'
    | 'votes'
    | 'flags'
    | 'suggestions'
    | 'agents'
    | 'moderation'
  /** Whether the public answer is the same for every caller, so that it may be kept. */
  isCached?: boolean
  /** Whether a suspended agent may call it too. */
  suspendedMay?: boolean
  /**
   * A POST is repeated with its Idempotency-Key, except for these: `never` answers with a secret,
   * which is not stored to be replayed; `freely` has the same effect however often it is sent,
   * without a key.
   */
  repeats?: 'never' | 'freely'
  /** Success is 201 rather than 200. */
  creates?: boolean
  /** What an agent sends again replaces what it created before, and is answered with 200. */
  replaces?: boolean
  /** What it creates has no URL of its own to name in Location. */
  isPlaceless?: boolean
  /** The content scanner sees it: 202 and `content_rejected` are possible. */
  isScanned?: boolean
  /** It may be refused with 409, though it takes neither an Idempotency-Key nor a version. */
  conflicts?: boolean
  /** It works on what has been deleted too, and so is never answered with 410. */
  worksOnDeleted?: boolean
  /** The format of the answer's body, if it is not JSON. */
  answers?: 'markdown' | 'events'
  /** What each event holds, for authors of clients. */
  events?: string
  /** The HTTP status of an answer that is no error but may be no success either. */
  statusOf?: (json: Uint8Array) => number
  /** The schema of the answer, if it is not the contract's. */
  output?: z.ZodType
  /** Sends the answer itself, as a stream does. */
  serve?: (
    core: Core,
    exchange: Exchange,
    input: InputOf<C>,
    warnings: readonly Warning[],
  ) => Promise<void>
  /** Makes the answer otherwise than by one request to the contract's owner. */
  run?: (core: Core, input: InputOf<C>, meta: Meta) => Promise<Answered>
}

/** Ties a row to the types of its contract. */
export function row<C extends RequestContract>(spec: Row<C>): Row {
  return spec as unknown as Row
}

/** Runs the row's own function, or asks the service that its contract names. */
export function askRow(core: Core, row: Row, input: object, meta: Meta): Promise<Answered> {
  return row.run ? row.run(core, input as never, meta) : core.ask(row.request, input as never, meta)
}

const PATH_NAME = /\{(\w+)\}/g

/** Names of the fields that stand in the path. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(PATH_NAME)].map((match) => match[1] as string)
}

/** The path with each `{name}` replaced by what `put` gives for the name. */
export function filledPath(path: string, put: (name: string) => string): string {
  return path.replaceAll(PATH_NAME, (_, name: string) => put(name))
}

/** Whether an Idempotency-Key tells a repetition from a second request. */
export function takesIdempotencyKey({ method, repeats }: Row): boolean {
  return method === 'POST' && !repeats
}

/** Whether a write can be held to the version that its sender has read. */
export function knowsVersions({ request }: Row): boolean {
  return 'expected_version' in request.input.shape
}

/** The row's name in client libraries: the contract's verb and noun. */
export function operationId({ request, operation }: Row): string {
  if (operation !== undefined) return operation
  const [, name = ''] = request.name.split('.')
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
