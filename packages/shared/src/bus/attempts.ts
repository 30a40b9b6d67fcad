import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/nats-core'
import { STREAMS } from './streams.ts'

/**
 * Notes on the bus which messages a consumer has begun and not ended, since a process that one of them ends
 * remembers nothing.
 */
export interface Attempts {
  /** Answers how often the message with this sequence has been begun without an end, this one included. */
  begin(sequence: number): Promise<number>
  end(sequence: number): Promise<void>
}

/** Of one durable consumer. Both reject as the bus does. */
export async function attemptsOf(nc: NatsConnection, durable: string): Promise<Attempts> {
  const js = jetstream(nc)
  const jsm = await jetstreamManager(nc)
  const { name } = STREAMS.attempts
  const subjectOf = (sequence: number) => `attempt.${durable}.${sequence}`
  return {
    begin: async (sequence) => {
      const subject = subjectOf(sequence)
      await js.publish(subject)
      const { state } = await jsm.streams.info(name, { subjects_filter: subject })
      return state.subjects?.[subject] ?? 1
    },
    end: async (sequence) => {
      await jsm.streams.purge(name, { filter: subjectOf(sequence) })
    },
  }
}
