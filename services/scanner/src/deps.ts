import type { Bus } from '@stoa/shared/bus/bus.js'
import type { ItemTexts, ScanResult } from './types.ts'

/** The dependencies of the scanner's consumers and requests. */
export interface ScannerDeps {
  bus: Bus
  /** An overrun gives a quarantine. Rejects `unavailable` only if no worker takes the texts. */
  scan: (texts: ItemTexts) => Promise<ScanResult>
}
