import { Worker } from 'node:worker_threads'
import type { PackTexts } from '../rules/pack-texts.ts'
import type { ItemTexts, ScanResult } from '../types.ts'
import { HEAP_LIMIT_MB } from './heap-bound.ts'
import type { FromWorker, ToWorker } from './scan-worker.ts'
import { timeOfThread } from './thread-time.ts'

type ThreadOptions = {
  packs: PackTexts
  /** Milliseconds that the worker thread itself may run on one text. */
  deadlineMs: number
  /** Called when the thread has room again. */
  onRoom: () => void
  /** Called once, when the worker is given up: a text took too long, or the worker died. */
  onLost: (reason: string) => void
}

/**
 * `lost`: the worker was given up during this text, or the scan threw. `untouched`: the worker was
 * given up before it began this text.
 */
export type ScanOutcome =
  | { type: 'scanned'; result: ScanResult }
  | { type: 'lost'; reason: string }
  | { type: 'untouched' }

/** Starting takes some seconds of a processor, and a crowded machine may give a tenth of one. */
const START_DEADLINE_MS = 120_000
/** The most texts in hand: enough that the worker need not wait for this thread between two. */
const IN_HAND_MAX = 4
/** The share of a deadline before the running time is read; nearly all scans are done by then. */
const UNMEASURED_PART = 0.25
/** The least time between two readings of the worker's running time. */
const LOOK_EVERY_MS = 5

/** A scan that the worker has not answered yet. */
type Asked = { id: number; resolve: (outcome: ScanOutcome) => void }

/** One worker thread with a rule set, and the few texts it has in hand, which it scans in order. */
export class ScanThread {
  /** The version of the rule set, once the worker is ready; rejects if the rules do not load. */
  readonly started: Promise<string>
  readonly exited: Promise<unknown>
  private readonly options: ThreadOptions
  private readonly worker: Worker
  private readonly asked: Asked[] = []
  private threadFile = ''
  private nextId = 1
  private ended = false
  private retiring = false
  private deadline: NodeJS.Timeout | undefined

  constructor(options: ThreadOptions) {
    this.options = options
    this.worker = new Worker(new URL('./scan-worker.js', import.meta.url), {
      workerData: { packs: options.packs },
      // The nursery is a third of the young generation, unless `--max-semi-space-size` is set,
      // which takes precedence. With 8 MB a scan takes a twentieth longer (measured by hand).
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB, maxYoungGenerationSizeMb: 12 },
      env: {},
    })
    this.started = this.start()
    this.exited = new Promise((resolve) => this.worker.on('exit', resolve))
  }

  private start(): Promise<string> {
    return new Promise((resolve, reject) => {
      const refuse = (error: Error) => {
        clearTimeout(timer)
        reject(error)
        this.end('the worker ended')
      }
      const timer = setTimeout(
        () => refuse(new Error('the scan worker did not start in time')),
        START_DEADLINE_MS,
      )
      this.worker.on('message', (message: FromWorker) => {
        if (message.type !== 'ready') {
          this.answered(message)
          return
        }
        clearTimeout(timer)
        this.threadFile = message.threadFile
        resolve(message.version)
      })
      // An error that crosses threads loses what makes it an error to Node.js and to the log.
      this.worker.on('error', ({ message }) => refuse(new Error(message)))
      this.worker.on('exit', () => refuse(new Error('the scan worker ended before it was ready')))
    })
  }

  /** How many more texts the thread can take now. */
  room(): number {
    return this.ended || this.retiring ? 0 : IN_HAND_MAX - this.asked.length
  }

  scan(texts: ItemTexts): Promise<ScanOutcome> {
    return new Promise((resolve) => {
      const message: ToWorker = { id: this.nextId++, texts }
      this.asked.push({ id: message.id, resolve })
      if (this.asked.length === 1) this.watchFirst()
      this.worker.postMessage(message)
    })
  }

  /** Takes no more texts, and ends when the texts in hand are scanned. */
  retire(): void {
    this.retiring = true
    if (this.asked.length === 0) void this.stop()
  }

  /** Ends the worker now, without a call of `onLost`. */
  async stop(): Promise<void> {
    this.ended = true
    this.giveUp('the pool is closing')
    await this.worker.terminate()
  }

  /** Starts the deadline of the first text in hand, which the worker begins now. */
  private watchFirst(): void {
    clearTimeout(this.deadline)
    const [first] = this.asked
    if (first === undefined) return
    const unmeasuredMs = this.options.deadlineMs * UNMEASURED_PART
    this.deadline = setTimeout(() => {
      this.watch(this.options.deadlineMs - unmeasuredMs, timeOfThread(this.threadFile))
    }, unmeasuredMs)
  }

  private watch(maxMs: number, takenMs: () => number): void {
    const leftMs = maxMs - takenMs()
    if (leftMs <= 0) this.end(`over the deadline of ${this.options.deadlineMs} ms`)
    else
      this.deadline = setTimeout(() => this.watch(maxMs, takenMs), Math.max(leftMs, LOOK_EVERY_MS))
  }

  private answered(reply: Exclude<FromWorker, { type: 'ready' }>): void {
    const [first] = this.asked
    if (first?.id !== reply.id) return
    this.asked.shift()
    this.watchFirst()
    if (reply.type === 'failed') first.resolve({ type: 'lost', reason: reply.reason })
    else first.resolve(reply)
    if (this.retiring) this.retire()
    else this.options.onRoom()
  }

  private end(reason: string): void {
    if (this.ended) return
    this.ended = true
    void this.worker.terminate()
    this.giveUp(reason)
    this.options.onLost(reason)
  }

  private giveUp(reason: string): void {
    const [first, ...others] = this.asked.splice(0)
    this.watchFirst()
    first?.resolve({ type: 'lost', reason })
    for (const { resolve } of others) resolve({ type: 'untouched' })
  }
}
