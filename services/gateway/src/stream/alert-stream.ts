import type { CloudEvent } from '@stoa/shared/bus/events.js'
import { seal } from '@stoa/shared/envelope.js'
import type { Core } from '../core.ts'
import type { Exchange } from '../http/exchange.ts'
import { EventStream } from './event-stream.ts'

/**
 * Alerts as they are raised and resolved, for moderators. It shows what happens from now on; what
 * happened before is in the list of alerts, which a client reads after it has connected.
 */
export async function streamAlerts(core: Core, exchange: Exchange): Promise<void> {
  const release = core.streams.limits.take(exchange.address)
  const stream = new EventStream(exchange)
  const subscription = core.bus.nc.subscribe('alert.>', {
    callback: (error, message) => {
      if (error) return
      try {
        const { id, data } = message.json<CloudEvent<{ alert: unknown }>>()
        const alert = seal({ object: 'alert', alert: data.alert }).toString()
        stream.send({ id, event: message.subject, data: alert })
      } catch {
        // Not an event of ours.
      }
    },
  })
  stream.onClose(release)
  stream.onClose(() => subscription.unsubscribe())
  stream.onClose(core.streams.onStop(() => stream.end()))
}
