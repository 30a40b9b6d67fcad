import type { Core } from '../core.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Row } from '../routes/row.ts'
import { admit } from './admit.ts'
import { serveRead } from './serve-read.ts'
import { serveWrite } from './serve-write.ts'

/** Answers one request to a row of the table, or throws the error to answer with. */
export function serveRow(core: Core, row: Row, exchange: Exchange): Promise<void> {
  return core.atOnce.during(exchange, async (leave) => {
    await admit(core, exchange, row)
    // A stream stays open, and has limits of its own.
    if (row.serve) leave()
    if (row.method === 'GET') await serveRead(core, row, exchange)
    else await serveWrite(core, row, exchange)
  })
}
