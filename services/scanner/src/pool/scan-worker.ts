import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { isError } from '@stoa/shared/process/is-error.js'
import { compileChecked } from '../loading/load-rules.ts'
import { forgetTexts } from '../rules/compile-rules.ts'
import type { PackTexts } from '../rules/pack-texts.ts'
import { scan } from '../scan.ts'
import type { ItemTexts, ScanResult } from '../types.ts'
import { HEAP_MAX } from './heap-bound.ts'
import { ownThreadFile } from './thread-time.ts'

export type ToWorker = { id: number; texts: ItemTexts }

export type FromWorker =
  | { type: 'ready'; version: string; threadFile: string }
  | { type: 'scanned'; id: number; result: ScanResult }
  | { type: 'failed'; id: number; reason: string }

const port = parentPort
if (port === null) throw new Error('scan-worker runs as a worker thread only')

// The pool passes the packs, because those on disk may have been refused since.
const rules = compileChecked(workerData.packs as PackTexts)
const send = (message: FromWorker) => port.postMessage(message)

const SCANS_BETWEEN_LOOKS = 256
let scans = 0

function keepSmall(): void {
  if (++scans % SCANS_BETWEEN_LOOKS !== 0) return
  if (getHeapStatistics().used_heap_size > HEAP_MAX) forgetTexts(rules)
}

port.on('message', ({ id, texts }: ToWorker) => {
  try {
    send({ type: 'scanned', id, result: scan(texts, rules) })
    keepSmall()
  } catch (error) {
    send({ type: 'failed', id, reason: isError(error) ? error.name : 'unknown' })
  }
})
send({ type: 'ready', version: rules.version, threadFile: ownThreadFile() })
