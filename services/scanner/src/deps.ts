import type { Bus } from '@stoa/shared/bus/bus.js'
import type { ItemTexts, ScanResult } from './types.ts'

/** What the scanner's consumers and requests may use. */
export interface ScannerDeps {
  bus: Bus
  /** An overrun is a quarantine. Rejects `unavailable` for no text, only where nobody takes it. */
  scan: (texts: ItemTexts) => Promise<ScanResult>
}
