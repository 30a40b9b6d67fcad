import { setTimeout as pause } from 'node:timers/promises'
import type { Msg } from '@nats-io/nats-core'
import type { OutputOf, RequestContract } from '../contracts/contract.ts'
import { AppError, errorFromWire } from '../errors/errors.ts'
import type { AskAgain } from './ask-again.ts'
import { isErrorReply, type Meta, metaToHeaders, type ReplyMeta, replyMetaFrom } from './meta.ts'
import type { Presence } from './presence.ts'
import { RawJson } from './raw-json.ts'
import { NoAnswer, type Replies } from './replies.ts'

/** An answer whose JSON has not been parsed: the gateway forwards it as bytes. */
export interface RawAnswer<Output = unknown> {
  json: Uint8Array
  meta: ReplyMeta
  /** Never set: only the compiler uses it, to know the type of the JSON. */
  of?: Output
}

/** The answer as a value, for callers that read it. */
export function parseAnswer<Output>({ json }: Pick<RawAnswer<Output>, 'json' | 'of'>): Output {
  return JSON.parse(Buffer.from(json).toString()) as Output
}

interface Line {
  replies: Replies
  presence: Presence
  askAgain: AskAgain
}

const ASK_AGAIN_MS = 50

/**
 * Sends a contract's request. Throws the AppError of the other side, `timeout` or `unavailable`.
 */
export async function ask<C extends RequestContract>(
  line: Line,
  contract: C,
  input: unknown,
  meta: Meta,
): Promise<RawAnswer<OutputOf<C>>> {
  const remainingMs = Math.max(1, Math.min(contract.timeoutMs, meta.remainingMs))
  const payload = input instanceof RawJson ? input.json : JSON.stringify(input)
  const askWithin = (ms: number) =>
    heard(line, `rpc.${contract.name}`, payload, { ...meta, remainingMs: ms })
  const reply = await (meta.isSafe ? line.askAgain(askWithin, remainingMs) : askWithin(remainingMs))
  if (isErrorReply(reply.headers)) throw errorFromWire(reply.json())
  return { json: reply.data, meta: replyMetaFrom(reply.headers) }
}

/**
 * Repeats a request that nobody heard after the bus came back, until services had time to return.
 */
async function heard(
  line: Line,
  subject: string,
  payload: string | Uint8Array,
  meta: Meta,
): Promise<Msg> {
  const { replies, presence } = line
  if (!presence.isUp) throw requestFailure(new NoAnswer('away'))
  try {
    return await replies.ask(subject, payload, metaToHeaders(meta), meta.remainingMs)
  } catch (error) {
    const isUnheard = error instanceof NoAnswer && error.reason === 'no_responders'
    const remainingMs = meta.remainingMs - ASK_AGAIN_MS
    if (!isUnheard || !presence.isReturning || remainingMs <= 0) throw requestFailure(error)
    await pause(ASK_AGAIN_MS)
    return heard(line, subject, payload, { ...meta, remainingMs })
  }
}

/**
 * Turns a `NoAnswer` into `timeout` or `unavailable`. Any other error says that the request cannot
 * be sent at all: a bug, which no repeat would mend.
 */
function requestFailure(error: unknown): unknown {
  if (!(error instanceof NoAnswer)) return error
  const { reason } = error
  // A lost request may have been carried out, like a late one.
  if (reason === 'timeout' || reason === 'lost')
    return new AppError('timeout', {}, { cause: error })
  const seconds = reason === 'away' ? 2 : 1
  return new AppError('unavailable', { retry_after_seconds: seconds }, { cause: error })
}
