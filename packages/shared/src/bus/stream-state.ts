import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/nats-core'

/**
 * What a stream holds; `created` distinguishes a stream that was created again from the one before.
 */
export interface StreamState {
  created: string
  firstSeq: number
  lastSeq: number
  messages: number
}

/** How far a stream has been read. */
export interface StreamPosition {
  position: number
  /** When the stream was created: a position means nothing in another stream. */
  stream: string
}

export async function streamState(nc: NatsConnection, stream: string): Promise<StreamState> {
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const { created, state } = await jsm.streams.info(stream)
  const { first_seq: firstSeq, last_seq: lastSeq, messages } = state
  return { created, firstSeq, lastSeq, messages }
}

/**
 * The sequence up to which a durable consumer has acknowledged every message, or the stream has
 * dropped it: the server moves the sequence past messages that the stream no longer keeps.
 */
export async function acknowledgedTo(
  nc: NatsConnection,
  stream: string,
  durable: string,
): Promise<number> {
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  return (await jsm.consumers.info(stream, durable)).ack_floor.stream_seq
}

/** Whether nothing between the position and the present end of the stream has been lost. */
export function canResume({ position, stream }: StreamPosition, state: StreamState): boolean {
  const isSameStream = stream === state.created && position <= state.lastSeq
  return isSameStream && position + 1 >= state.firstSeq
}

/**
 * How many milliseconds the first message after `position` has been in the stream; 0 without one.
 */
export async function waitingMs(
  nc: NatsConnection,
  stream: string,
  position: number,
): Promise<number> {
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const info = await jsm.streams.info(stream)
  const { state } = info
  if (position >= state.last_seq) return 0
  const seq = Math.max(position + 1, state.first_seq)
  const message = await jsm.streams.getMessage(stream, { seq })
  return message ? Math.max(0, timeOnBus(info) - message.time.getTime()) : 0
}

/**
 * The present time by the clock that dates messages, which may be another computer's. Servers
 * before 2.10 do not tell it, so the clock of this computer is used.
 */
export function timeOnBus({ ts }: { ts?: string }): number {
  return ts === undefined ? Date.now() : Date.parse(ts)
}
