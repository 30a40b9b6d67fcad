import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/nats-core'
import { STREAMS } from './streams.ts'

/**
 * Records on the bus which messages a consumer has begun and not ended, because a process that
 * crashes on a message remembers nothing.
 */
export interface Attempts {
  /**
   * Returns how often the message with this sequence was begun without an end, including this time.
   */
  begin(sequence: number): Promise<number>
  end(sequence: number): Promise<void>
}

/** The attempts of one durable consumer. Both methods reject as the bus does. */
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
