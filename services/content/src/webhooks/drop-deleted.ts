import type { CloudEvent } from '@stoa/shared/bus/events.js'
import type { PayloadOf } from '@stoa/shared/contracts/contract.js'
import type { alertRaised } from '@stoa/shared/contracts/moderation.js'
import type { Database } from '../database.ts'
import { withoutQuotes } from '../rendering/alert.ts'
import { findDeletedAlerts } from '../tables/alerts.ts'
import type { Delivery } from '../tables/webhook-deliveries.ts'

/**
 * The same deliveries without their quotations of agents that have deleted themselves since.
 * Deliveries wait for days, can be replayed after weeks, and are stored after a deletion if their
 * event was still on its way from the bus. So only the moment of sending is late enough to check.
 */
export async function dropDeleted(db: Database, deliveries: Delivery[]): Promise<Delivery[]> {
  const told = deliveries.map((delivery) => {
    const event: CloudEvent<PayloadOf<typeof alertRaised>> = JSON.parse(delivery.payload)
    return { delivery, event, alert: event.data.alert }
  })
  const ids = told.map(({ alert }) => alert.id)
  const deleted = await db.read((query) => findDeletedAlerts(query, ids))
  return told.map(({ delivery, event, alert }) => {
    if (!deleted.has(alert.id)) return delivery
    return {
      ...delivery,
      payload: JSON.stringify({ ...event, data: { alert: withoutQuotes(alert) } }),
    }
  })
}
