import { Worker } from 'node:worker_threads'
import type { PackTexts } from '../rules/pack-texts.ts'
import type { ScanInput, ScanResult } from '../types.ts'
import type { FromWorker, ToWorker } from './scan-worker.ts'
import { timeOfThread } from './thread-time.ts'

export type SlotOptions = {
  deadlineMs: number
  /** The rule set in force, with which every new worker starts. */
  packs: () => PackTexts
  onTrouble: (trouble: string) => void
  /** Told when it has room again. */
  onRoom: () => void
}

/**
 * `lost` is what a worker was at when it was given up; `untouched` is what it had in hand besides,
 * through no fault of its own.
 */
type SlotOutcome =
  | { type: 'scanned'; result: ScanResult }
  | { type: 'lost'; reason: string }
  | { type: 'untouched' }

type ReloadReply = { swapped: boolean; version: string; reason: string }

/** It takes some seconds of a processor, which a crowded machine may give it a tenth of. */
const START_DEADLINE_MS = 120_000
const RELOAD_DEADLINE_MS = 30_000
/** A reload is asked for again where a scan before it cost the worker its place. */
const RELOADS_MAX = 10
const RESTART_PAUSE_MAX_MS = 5_000
/** Enough that the worker need not wait for this thread between two scans. */
const IN_HAND_MAX = 4
/** Of a deadline, before anybody looks how long the worker has run: nearly all scans are done by then. */
const UNMEASURED_PART = 0.25
/** Between two looks. */
const LOOK_EVERY_MS = 5

type Reply = FromWorker | Exclude<SlotOutcome, { type: 'scanned' }>

/** What a worker was asked and has not answered yet. */
type Asked = { id: number; deadlineMs: number; resolve: (reply: Reply) => void }

/**
 * One worker thread and the few things it has in hand, which it does in order. A worker that
 * overruns at one of them is replaced.
 */
export class ScanSlot {
  private readonly options: SlotOptions
  private worker: Worker | null = null
  private threadFile = ''
  private ready = false
  private stopped = false
  private nextId = 1
  private failures = 0
  private readonly asked: Asked[] = []
  private deadline: NodeJS.Timeout | undefined

  constructor(options: SlotOptions) {
    this.options = options
  }

  /** How many more scans it takes now. */
  room(): number {
    return this.ready ? IN_HAND_MAX - this.asked.length : 0
  }

  /** Starts the worker and resolves with its rule set's version; rejects when the rules do not load. */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./scan-worker.js', import.meta.url), {
        workerData: { packs: this.options.packs() },
        // Its nursery is a third of the last: with 8 MB a scan takes a twentieth longer (by hand).
        resourceLimits: { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 12 },
        env: {},
      })
      this.worker = worker
      const timer = setTimeout(() => {
        void worker.terminate()
        reject(new Error('the scan worker did not start in time'))
      }, START_DEADLINE_MS)
      worker.on('message', (message: FromWorker) => {
        if (message.type !== 'ready') {
          this.answered(message)
          return
        }
        clearTimeout(timer)
        this.threadFile = message.threadFile
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
    const scan = { type: 'scan', id: this.nextId++, input } as const
    const reply = await this.ask(scan, this.options.deadlineMs)
    if (reply.type === 'scanned' || reply.type === 'lost' || reply.type === 'untouched')
      return reply
    return { type: 'lost', reason: 'reason' in reply ? reply.reason : 'an unexpected answer' }
  }

  async reload(packs: PackTexts): Promise<ReloadReply> {
    let reply: Reply = { type: 'untouched' }
    for (let tries = 0; tries < RELOADS_MAX && reply.type === 'untouched'; tries++) {
      await this.untilReady()
      reply = await this.ask({ type: 'reload', id: this.nextId++, packs }, RELOAD_DEADLINE_MS)
    }
    if (reply.type === 'reloaded') return reply
    return { swapped: false, version: '', reason: 'reason' in reply ? reply.reason : 'no answer' }
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.ready = false
    const worker = this.worker
    this.worker = null
    this.giveUp('the pool is closing')
    await worker?.terminate()
  }

  private ask(message: ToWorker, deadlineMs: number): Promise<Reply> {
    return new Promise((resolve) => {
      this.asked.push({ id: message.id, deadlineMs, resolve })
      if (this.asked.length === 1) this.watchFirst()
      this.worker?.postMessage(message)
    })
  }

  /** The worker is at the first of what it was asked: its time runs from now. */
  private watchFirst(): void {
    clearTimeout(this.deadline)
    const [first] = this.asked
    if (first === undefined) return
    const { deadlineMs } = first
    const unmeasuredMs = deadlineMs * UNMEASURED_PART
    this.deadline = setTimeout(() => {
      this.watch(first, deadlineMs - unmeasuredMs, timeOfThread(this.threadFile))
    }, unmeasuredMs)
  }

  private watch(first: Asked, maxMs: number, takenMs: () => number): void {
    const leftMs = maxMs - takenMs()
    if (leftMs <= 0) {
      this.lose(`over the deadline of ${first.deadlineMs} ms`)
      return
    }
    this.deadline = setTimeout(
      () => this.watch(first, maxMs, takenMs),
      Math.max(leftMs, LOOK_EVERY_MS),
    )
  }

  private answered(reply: Exclude<FromWorker, { type: 'ready' }>): void {
    const [first] = this.asked
    if (first?.id !== reply.id) return
    this.asked.shift()
    this.watchFirst()
    first.resolve(reply)
    this.options.onRoom()
  }

  private giveUp(reason: string): void {
    const [first, ...others] = this.asked.splice(0)
    this.watchFirst()
    first?.resolve({ type: 'lost', reason })
    for (const { resolve } of others) resolve({ type: 'untouched' })
  }

  /** Waits, within a bound, while the worker is being replaced. */
  private async untilReady(): Promise<void> {
    const until = performance.now() + START_DEADLINE_MS
    while (!this.ready && !this.stopped && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  private lose(reason: string): void {
    const worker = this.worker
    this.worker = null
    this.ready = false
    void worker?.terminate()
    this.giveUp(reason)
    if (!this.stopped) this.restart(reason)
  }

  private restart(reason: string): void {
    this.options.onTrouble(`scan worker replaced: ${reason}`)
    const pause = Math.min(RESTART_PAUSE_MAX_MS, this.failures * 250)
    this.failures++
    setTimeout(() => {
      if (this.stopped) return
      this.start().then(
        () => this.options.onRoom(),
        () => undefined,
      )
    }, pause).unref()
  }
}
