import { statSync } from 'node:fs'
import { commonConfig, wholeNumber } from '@stoa/shared/process/config.js'
import { z } from 'zod'

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export const ScannerConfig = z.object({
  ...commonConfig,
  /** Threads that scan; each holds the rules once. */
  SCAN_WORKERS: wholeNumber(1, 32, 1),
  /** A scan that its thread runs at for longer is stopped, and what it was reading is quarantined. */
  SCAN_DEADLINE_MS: wholeNumber(10, 10_000, 250),
  /** Another folder of rule packs; without it the packs that ship with the service. */
  SCANNER_PACKS: z.string().refine(isFolder, 'is not a folder').optional(),
})
export type ScannerConfig = z.output<typeof ScannerConfig>
