import { readConfig } from '@stoa/shared/process/config.js'
import { runService } from '@stoa/shared/process/service.js'
import { ScannerConfig } from './config.ts'
import { startScanner } from './scanner.ts'

await runService('scanner', (log) => startScanner(readConfig(ScannerConfig), log))
