import { AppError } from '@stoa/shared/errors/errors.js'
import { refusal, TIMED_OUT } from '../deciding/refusal.ts'
import { type PackTexts, readPackTexts } from '../rules/pack-texts.ts'
import type { ScanInput, ScanResult } from '../types.ts'
import { type Reloaded, ScanSlot, type SlotOptions } from './scan-slot.ts'

export type ScanPoolOptions = {
  workers: number
  deadlineMs: number
  packsDir: string
  /** Items that may wait; one more is refused at once. */
  queueMax?: number
  /** While no worker takes any item for so long, those that wait are given back. */
  waitMaxMs?: number
  /** Told when a rule set is refused, a scan fails or a worker dies. */
  onTrouble?: (trouble: string) => void
}

type Overrun = { overrun: true; result: ScanResult }

export type ScanPool = {
  /**
   * What cannot be scanned in time comes back as a quarantine. Rejects `unavailable`, through no
   * fault of the text, where no worker takes it: it is to be asked for again.
   */
  scan: (input: ScanInput) => Promise<ScanResult | Overrun>
  reload: () => Promise<Reloaded>
  /** Version of the rule set in force. */
  pack: () => string
  close: () => Promise<void>
}

type Job = {
  input: ScanInput
  tries: number
  resolve: (result: ScanResult | Overrun) => void
  reject: (error: AppError) => void
}

const TRIES_MAX = 3
const RETRY_SECONDS = 2
const QUEUE_MAX = 10_000
/** Workers that work take something every second, and the bus gives what they have to others after a minute. */
const WAIT_MAX_MS = 20_000

/**
 * Worker threads that scan under a deadline for as long as they run. An overrun kills its worker; the
 * item is tried again at most twice, since a busy machine is no fault of the text, and then quarantined.
 * Throws when no worker can load the rules.
 */
export async function createScanPool(options: ScanPoolOptions): Promise<ScanPool> {
  const { workers, deadlineMs, packsDir, queueMax = QUEUE_MAX } = options
  const { waitMaxMs = WAIT_MAX_MS } = options
  const onTrouble = options.onTrouble ?? (() => undefined)
  const queue: Job[] = []
  let inForce = readPackTexts(packsDir)
  const packs = () => inForce
  const slotOptions: SlotOptions = { deadlineMs, packs, onTrouble, onRoom: () => drain() }
  const slots = Array.from({ length: workers }, () => new ScanSlot(slotOptions))
  let closed = false
  const versions = await Promise.all(slots.map((slot) => slot.start()))
  let version = versions[0] ?? ''
  let reloading: Promise<Reloaded> = Promise.resolve({ swapped: true, version, reason: '' })
  const patience = setInterval(giveBack, waitMaxMs).unref()

  function drain(): void {
    while (!closed && queue.length > 0) {
      const slot = roomiest(slots)
      const job = slot && queue.shift()
      if (!slot || !job) return
      patience.refresh()
      void run(slot, job)
    }
  }

  function giveBack(): void {
    if (queue.length === 0) return
    onTrouble(`${queue.length} scans given back: no worker takes them`)
    for (const job of queue.splice(0)) job.reject(unavailable())
  }

  async function run(slot: ScanSlot, job: Job): Promise<void> {
    const outcome = await slot.scan(job.input)
    if (outcome.type === 'lost') job.tries++
    if (outcome.type === 'scanned') {
      job.resolve(outcome.result)
    } else if (closed) {
      job.reject(unavailable())
    } else if (outcome.type === 'lost' && job.tries >= TRIES_MAX) {
      onTrouble(`scan gave up after ${job.tries} tries: ${outcome.reason}`)
      job.resolve({ overrun: true, result: refusal(version, TIMED_OUT, firstField(job.input)) })
    } else {
      // What cost a worker its place waits for the others, which did nothing to be held up.
      if (outcome.type === 'lost') queue.push(job)
      else queue.unshift(job)
      drain()
    }
  }

  function scan(input: ScanInput): Promise<ScanResult | Overrun> {
    if (closed || queue.length >= queueMax) return Promise.reject(unavailable())
    return new Promise((resolve, reject) => {
      if (queue.length === 0) patience.refresh()
      queue.push({ input, tries: 0, resolve, reject })
      drain()
    })
  }

  function reload() {
    reloading = reloading.then(reloadNow)
    return reloading
  }

  /** One worker proves the new set; only then is it in force, and the others are replaced, one by one to hold few sets at once. */
  async function reloadNow(): Promise<Reloaded> {
    const [first, ...others] = slots
    if (first === undefined) return refuse('no workers')
    let texts: PackTexts
    try {
      texts = readPackTexts(packsDir)
    } catch (error) {
      return refuse(String(error))
    }
    const proof = await first.reload(texts)
    if (!proof.swapped) return refuse(proof.reason)
    inForce = texts
    version = proof.version
    for (const slot of others) {
      const { swapped, reason } = await slot.reload(texts)
      if (!swapped) onTrouble(`a scan worker keeps its old rules: ${reason}`)
    }
    return proof
  }

  function refuse(reason: string) {
    onTrouble(`rule set refused: ${reason}`)
    return { swapped: false, version, reason }
  }

  async function close(): Promise<void> {
    closed = true
    clearInterval(patience)
    for (const job of queue.splice(0)) job.reject(unavailable())
    await Promise.all(slots.map((slot) => slot.stop()))
  }

  return { scan, reload, pack: () => version, close }
}

/** The one that has least in hand; undefined while all have enough. */
function roomiest(slots: readonly ScanSlot[]): ScanSlot | undefined {
  let best: ScanSlot | undefined
  for (const slot of slots) if (slot.room() > (best?.room() ?? 0)) best = slot
  return best
}

function unavailable(): AppError {
  return new AppError('unavailable', { retry_after_seconds: RETRY_SECONDS })
}

function firstField(input: ScanInput): string {
  return Object.keys(input.fields)[0] ?? ''
}
