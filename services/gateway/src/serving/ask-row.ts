import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Answered } from '../cache/seal-with.ts'
import type { Core } from '../core.ts'
import type { Row } from '../routes/row.ts'

/** Asks what the row is about: its own function, or the service that its request names. */
export function askRow(core: Core, row: Row, input: object, meta: Meta): Promise<Answered> {
  return row.run ? row.run(core, input as never, meta) : core.ask(row.request, input as never, meta)
}
