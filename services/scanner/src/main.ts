import { readConfig } from '@stoa/shared/config.js'
import { runService } from '@stoa/shared/service.js'
import { ScannerConfig } from './config.ts'
import { startScanner } from './scanner.ts'

await runService('scanner', (log) => startScanner(readConfig(ScannerConfig), log))
