import { join } from 'node:path'
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connectBus } from '@stoa/shared/bus/bus.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'

const { name } = STREAMS.forum

/** Where a NATS whose folder is `dir` keeps the messages of the forum's stream. */
export function messagesIn(dir: string): string {
  return join(dir, 'jetstream', 'jetstream', '$G', 'streams', name, 'msgs')
}

/** The ids of the events that a consumer of the forum's stream gets next. */
export async function idsRead(natsUrl: string): Promise<string[]> {
  const reader = await connectBus('content', natsUrl)
  // Creates the consumer if it does not exist, as services do when they begin to read.
  const jsm = await jetstreamManager(reader.nc)
  await jsm.consumers.add(name, { durable_name: 'reader', ack_policy: AckPolicy.All })
  const consumer = await jetstream(reader.nc).consumers.get(name, 'reader')
  const ids: string[] = []
  for await (const message of await consumer.fetch({ max_messages: 1_000, expires: 1_000 })) {
    ids.push(message.headers?.get('Nats-Msg-Id') ?? '')
    await message.ackAck()
  }
  await reader.close()
  return ids
}
