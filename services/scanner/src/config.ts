import { statSync } from 'node:fs'
import { commonConfig, wholeNumber } from '@stoa/shared/process/config.js'
import { z } from 'zod'

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export const ScannerConfig = z.object({
  ...commonConfig,
  /** Number of scan threads; each holds its own copy of the rules. */
  SCAN_WORKERS: wholeNumber(1, 32, 1),
  /**
   * A scan whose thread runs for longer is stopped. After three such tries its text is quarantined.
   */
  SCAN_DEADLINE_MS: wholeNumber(10, 10_000, 250),
  /** Folder of rule packs; by default the packs that ship with the service. */
  SCANNER_PACKS: z.string().refine(isFolder, 'is not a folder').optional(),
})
export type ScannerConfig = z.output<typeof ScannerConfig>
