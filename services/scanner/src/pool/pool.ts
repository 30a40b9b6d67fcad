import { AppError } from '@stoa/shared/errors/errors.js'
import { refusal, TIMED_OUT } from '../deciding/refusal.ts'
import { type PackTexts, readPackTexts } from '../rules/pack-texts.ts'
import type { ItemTexts, ScanResult } from '../types.ts'
import { type Reloaded, ScanSlot, type SlotOptions } from './scan-slot.ts'

export type ScanPoolOptions = {
  workers: number
  deadlineMs: number
  packsDir: string
  /** The most items that may wait; a further item is rejected at once. */
  queueMax?: number
  /** If no worker takes an item for this many milliseconds, all waiting items are rejected. */
  waitMaxMs?: number
  /** Called when a rule set is refused, a scan fails or a worker dies. */
  onTrouble?: (trouble: string) => void
}

type Job = {
  texts: ItemTexts
  tries: number
  resolve: (result: ScanResult) => void
  reject: (error: AppError) => void
}

const TRIES_MAX = 3
const RETRY_SECONDS = 2
const QUEUE_MAX = 10_000
/** A working pool takes an item every second, and the bus redelivers after about a minute. */
const WAIT_MAX_MS = 20_000

/** Starts the pool; throws when no worker can load the rules. */
export async function createScanPool(options: ScanPoolOptions): Promise<ScanPool> {
  const pool = new ScanPool(options)
  await pool.start()
  return pool
}

/**
 * Worker threads that scan under a deadline on their own running time. An overrun kills its worker;
 * the item is tried again at most twice, because a busy machine is no fault of the text, and then
 * quarantined.
 */
export class ScanPool {
  private readonly options: ScanPoolOptions
  private readonly slots: readonly ScanSlot[]
  private readonly queue: Job[] = []
  private inForce: PackTexts
  private version = ''
  private closed = false
  private patience: NodeJS.Timeout | undefined
  private reloading: Promise<unknown> = Promise.resolve()

  constructor(options: ScanPoolOptions) {
    this.options = options
    this.inForce = readPackTexts(options.packsDir)
    const slotOptions: SlotOptions = {
      deadlineMs: options.deadlineMs,
      packs: () => this.inForce,
      onTrouble: (trouble) => this.tell(trouble),
      onRoom: () => this.drain(),
    }
    this.slots = Array.from({ length: options.workers }, () => new ScanSlot(slotOptions))
  }

  async start(): Promise<void> {
    const versions = await Promise.all(this.slots.map((slot) => slot.start()))
    this.version = versions[0] ?? ''
    const { waitMaxMs = WAIT_MAX_MS } = this.options
    this.patience = setInterval(() => this.giveBack(), waitMaxMs).unref()
  }

  /** Version of the rule set in force. */
  pack(): string {
    return this.version
  }

  /**
   * Resolves to a quarantine for an item that cannot be scanned in time. Rejects `unavailable` if
   * no worker takes the item, whatever its text; the caller must ask again.
   */
  scan(texts: ItemTexts): Promise<ScanResult> {
    const { queueMax = QUEUE_MAX } = this.options
    if (this.closed || this.queue.length >= queueMax) return Promise.reject(unavailable())
    return new Promise((resolve, reject) => {
      if (this.queue.length === 0) this.patience?.refresh()
      this.queue.push({ texts, tries: 0, resolve, reject })
      this.drain()
    })
  }

  reload(): Promise<Reloaded> {
    const reloaded = this.reloading.then(() => this.reloadNow())
    this.reloading = reloaded
    return reloaded
  }

  async close(): Promise<void> {
    this.closed = true
    clearInterval(this.patience)
    for (const job of this.queue.splice(0)) job.reject(unavailable())
    await Promise.all(this.slots.map((slot) => slot.stop()))
  }

  /**
   * One worker proves the new set before it comes into force. The others are replaced one by one,
   * so that few copies of the set are in memory.
   */
  private async reloadNow(): Promise<Reloaded> {
    const [first, ...others] = this.slots
    if (first === undefined || this.closed) return this.refuse('no workers')
    let texts: PackTexts
    try {
      texts = readPackTexts(this.options.packsDir)
    } catch (error) {
      return this.refuse(String(error))
    }
    const proof = await first.reload(texts)
    if (!proof.swapped) return this.refuse(proof.reason)
    this.inForce = texts
    this.version = proof.version
    for (const slot of others) {
      if (this.closed) break
      const { swapped, reason } = await slot.reload(texts)
      if (!swapped) this.tell(`a scan worker keeps its old rules: ${reason}`)
    }
    return proof
  }

  private drain(): void {
    while (!this.closed && this.queue.length > 0) {
      const slot = roomiest(this.slots)
      const job = slot && this.queue.shift()
      if (!slot || !job) return
      this.patience?.refresh()
      void this.run(slot, job)
    }
  }

  private async run(slot: ScanSlot, job: Job): Promise<void> {
    const outcome = await slot.scan(job.texts)
    if (outcome.type === 'lost') job.tries++
    if (outcome.type === 'scanned') {
      job.resolve(outcome.result)
    } else if (this.closed) {
      job.reject(unavailable())
    } else if (outcome.type === 'lost' && job.tries >= TRIES_MAX) {
      this.tell(`scan gave up after ${job.tries} tries: ${outcome.reason}`)
      job.resolve(refusal(this.version, TIMED_OUT, firstField(job.texts)))
    } else {
      // An item that cost a worker goes behind the other items, so that it does not delay them.
      if (outcome.type === 'lost') this.queue.push(job)
      else this.queue.unshift(job)
      this.drain()
    }
  }

  private giveBack(): void {
    if (this.queue.length === 0) return
    this.tell(`${this.queue.length} scans given back: no worker takes them`)
    for (const job of this.queue.splice(0)) job.reject(unavailable())
  }

  private refuse(reason: string): Reloaded {
    this.tell(`rule set refused: ${reason}`)
    return { swapped: false, version: this.version, reason }
  }

  private tell(trouble: string): void {
    // Workers that end because the pool closes are no trouble.
    if (!this.closed) this.options.onTrouble?.(trouble)
  }
}

/** The slot with the most room; undefined if none has room. */
function roomiest(slots: readonly ScanSlot[]): ScanSlot | undefined {
  let best: ScanSlot | undefined
  for (const slot of slots) if (slot.room() > (best?.room() ?? 0)) best = slot
  return best
}

function unavailable(): AppError {
  return new AppError('unavailable', { retry_after_seconds: RETRY_SECONDS })
}

function firstField(texts: ItemTexts): string {
  return Object.keys(texts)[0] ?? ''
}
