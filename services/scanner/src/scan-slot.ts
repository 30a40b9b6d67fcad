import { Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './scan-worker.ts'
import type { ScanInput, ScanResult } from './types.ts'

export type SlotOptions = {
  deadlineMs: number
  packsDir: string
  onTrouble: (trouble: string) => void
  onIdle: () => void
}

export type SlotOutcome = { type: 'scanned'; result: ScanResult } | { type: 'lost'; reason: string }

type ReloadReply = { swapped: boolean; version: string; reason: string }

const START_DEADLINE_MS = 30_000
const RELOAD_DEADLINE_MS = 30_000
const RESTART_PAUSE_MAX_MS = 5_000

/** One worker thread and the one thing it is doing; a worker that overruns is replaced. */
export class ScanSlot {
  private readonly options: SlotOptions
  private worker: Worker | null = null
  private ready = false
  private stopped = false
  private busy = false
  private nextId = 1
  private failures = 0
  private settle: ((message: FromWorker | { type: 'lost'; reason: string }) => void) | null = null

  constructor(options: SlotOptions) {
    this.options = options
  }

  idle(): boolean {
    return this.ready && !this.busy
  }

  /** Starts the worker and resolves with its rule set's version; rejects when the rules do not load. */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./scan-worker.js', import.meta.url), {
        workerData: { packsDir: this.options.packsDir },
        resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
        env: {},
      })
      this.worker = worker
      const timer = setTimeout(() => {
        void worker.terminate()
        reject(new Error('the scan worker did not start in time'))
      }, START_DEADLINE_MS)
      worker.on('message', (message: FromWorker) => {
        if (message.type !== 'ready') {
          this.settle?.(message)
          return
        }
        clearTimeout(timer)
        this.ready = true
        this.failures = 0
        resolve(message.version)
      })
      worker.on('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      worker.on('exit', () => {
        clearTimeout(timer)
        reject(new Error('the scan worker ended before it was ready'))
        if (this.worker === worker) this.lose('the worker ended')
      })
    })
  }

  async scan(input: ScanInput): Promise<SlotOutcome> {
    const reply = await this.ask(
      { type: 'scan', id: this.nextId++, input },
      this.options.deadlineMs,
    )
    if (reply.type === 'scanned') return { type: 'scanned', result: reply.result }
    return { type: 'lost', reason: 'reason' in reply ? reply.reason : 'an unexpected answer' }
  }

  async reload(): Promise<ReloadReply> {
    await this.free()
    const reply = await this.ask({ type: 'reload', id: this.nextId++ }, RELOAD_DEADLINE_MS)
    if (reply.type === 'reloaded') return reply
    return { swapped: false, version: '', reason: 'reason' in reply ? reply.reason : 'no answer' }
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.ready = false
    const worker = this.worker
    this.worker = null
    this.settle?.({ type: 'lost', reason: 'the pool is closing' })
    await worker?.terminate()
  }

  private ask(message: ToWorker, deadlineMs: number) {
    this.busy = true
    return new Promise<FromWorker | { type: 'lost'; reason: string }>((resolve) => {
      const timer = setTimeout(() => this.lose(`over the deadline of ${deadlineMs} ms`), deadlineMs)
      this.settle = (reply) => {
        if ('id' in reply && reply.id !== message.id) return
        clearTimeout(timer)
        this.settle = null
        this.busy = false
        resolve(reply)
        this.options.onIdle()
      }
      this.worker?.postMessage(message)
    })
  }

  /** Waits, bounded by the deadline of the scan in hand, until nothing is in hand. */
  private async free(): Promise<void> {
    const until = Date.now() + this.options.deadlineMs + START_DEADLINE_MS
    while (!this.idle() && !this.stopped && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  private lose(reason: string): void {
    const worker = this.worker
    this.worker = null
    this.ready = false
    void worker?.terminate()
    this.settle?.({ type: 'lost', reason })
    if (!this.stopped) this.restart(reason)
  }

  private restart(reason: string): void {
    this.options.onTrouble(`scan worker replaced: ${reason}`)
    const pause = Math.min(RESTART_PAUSE_MAX_MS, this.failures * 250)
    this.failures++
    setTimeout(() => {
      if (this.stopped) return
      this.start().then(
        () => this.options.onIdle(),
        () => undefined,
      )
    }, pause).unref()
  }
}
