import { type Answer, answer } from '@stoa/shared/bus/serve.js'
import { serviceHealth } from '@stoa/shared/contracts/health.js'
import * as scans from '@stoa/shared/contracts/scans.js'
import type { ScannerDeps } from '../deps.ts'
import { health } from './health.ts'
import { scanSubmission } from './scan-submission.ts'
import { scanText } from './scan-text.ts'

/** All requests that the scanner answers. */
export const requests: Answer<ScannerDeps>[] = [
  answer(scans.scanText, scanText),
  answer(scans.scanSubmission, scanSubmission),
  answer(serviceHealth.scanner, health),
]
