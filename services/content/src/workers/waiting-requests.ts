import { jetstreamManager } from '@nats-io/jetstream'
import type { Bus } from '@stoa/shared/bus/bus.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { SCANNER_DURABLE, scanRequested } from '@stoa/shared/contracts/scans.js'

/**
 * When the oldest request was published that no scanner has been given yet; null when they have
 * been given all. Requests are given in order, so what was published later waits as well. Rejects
 * where the bus does not know: it is away, or there has never been a scanner.
 */
export async function oldestWaiting({ nc }: Bus): Promise<Date | null> {
  const { name } = STREAMS.scan
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const { delivered } = await jsm.consumers.info(name, SCANNER_DURABLE)
  const next = { seq: delivered.stream_seq + 1, next_by_subj: scanRequested.subject }
  const message = await jsm.streams.getMessage(name, next)
  return message?.time ?? null
}
