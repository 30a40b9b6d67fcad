import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { RuleStore } from '../loading/rule-store.ts'
import type { PackTexts } from '../rules/pack-texts.ts'
import { scan } from '../scan.ts'
import type { ScanInput, ScanResult } from '../types.ts'
import { HEAP_MAX } from './heap-bound.ts'
import { ownThreadFile } from './thread-time.ts'

export type ToWorker =
  | { type: 'scan'; id: number; input: ScanInput }
  | { type: 'reload'; id: number; packs: PackTexts }

export type FromWorker =
  | { type: 'ready'; version: string; threadFile: string }
  | { type: 'scanned'; id: number; result: ScanResult }
  | { type: 'reloaded'; id: number; swapped: boolean; version: string; reason: string }
  | { type: 'failed'; id: number; reason: string }

const port = parentPort
if (port === null) throw new Error('scan-worker runs as a worker thread only')

// What lies on disk may have been refused since.
const store = new RuleStore(workerData.packs as PackTexts)
const send = (message: FromWorker) => port.postMessage(message)

const SCANS_BETWEEN_LOOKS = 256
let scans = 0

/** Throws the matchers' caches away once they have grown the heap past its bound. */
function keepSmall(): void {
  if (++scans % SCANS_BETWEEN_LOOKS !== 0) return
  if (getHeapStatistics().used_heap_size < HEAP_MAX) return
  store.forget()
}

port.on('message', (message: ToWorker) => {
  const { id } = message
  try {
    if (message.type === 'scan') {
      send({ type: 'scanned', id, result: scan(message.input, store.current()) })
      keepSmall()
      return
    }
    const { swapped, version, error } = store.reload(message.packs)
    send({ type: 'reloaded', id, swapped, version, reason: error?.message ?? '' })
  } catch (error) {
    send({ type: 'failed', id, reason: error instanceof Error ? error.name : 'unknown' })
  }
})
send({ type: 'ready', version: store.current().version, threadFile: ownThreadFile() })
