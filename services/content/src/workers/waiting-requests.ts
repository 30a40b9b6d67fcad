import { jetstreamManager } from '@nats-io/jetstream'
import type { Bus } from '@stoa/shared/bus/bus.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import { SCANNER_DURABLE, scanRequested } from '@stoa/shared/contracts/scans.js'

/**
 * When the oldest request was published that no scanner has got yet; null if scanners have got all.
 * Requests are delivered in order, so later ones wait as well. Rejects if the bus does not know: it
 * is away, or there has never been a scanner.
 */
export async function oldestWaiting({ nc }: Bus): Promise<Date | null> {
  const { name } = STREAMS.scan
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const { delivered } = await jsm.consumers.info(name, SCANNER_DURABLE)
  const next = { seq: delivered.stream_seq + 1, next_by_subj: scanRequested.subject }
  const message = await jsm.streams.getMessage(name, next)
  return message?.time ?? null
}
