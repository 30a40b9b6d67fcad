import type { Meta } from '@stoa/shared/bus/meta.js'
import type { Answered } from '../cache/seal-with.ts'
import type { Core } from '../core.ts'
import type { Row } from '../routes/row.ts'

/** Runs the row's own function, or asks the service that its contract names. */
export function askRow(core: Core, row: Row, input: object, meta: Meta): Promise<Answered> {
  return row.run ? row.run(core, input as never, meta) : core.ask(row.request, input as never, meta)
}
