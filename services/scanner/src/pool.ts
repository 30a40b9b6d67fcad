import { refusal, TIMED_OUT, TOO_BUSY } from './scan.ts'
import { ScanSlot, type SlotOptions } from './scan-slot.ts'
import type { ScanInput, ScanResult } from './types.ts'

export type ScanPoolOptions = {
  workers: number
  deadlineMs: number
  packsDir: string
  /** Items that may wait; one more is refused at once. */
  queueMax?: number
  /** Told when a rule set is refused, a scan fails or a worker dies. */
  onTrouble?: (trouble: string) => void
}

export type Overrun = { overrun: true; result: ScanResult }

export type ScanPool = {
  /** Never rejects for a text: what cannot be scanned in time comes back as a quarantine. */
  scan: (input: ScanInput) => Promise<ScanResult | Overrun>
  reload: () => Promise<{ swapped: boolean; version: string; reason: string }>
  /** Version of the rule set in force. */
  pack: () => string
  close: () => Promise<void>
}

type Job = { input: ScanInput; tries: number; resolve: (result: ScanResult | Overrun) => void }

const TRIES_MAX = 3
const QUEUE_MAX = 10_000

/**
 * Worker threads that scan under a wall-clock deadline. An overrun kills its worker; the item is
 * tried again at most twice, since a busy machine is no fault of the text, and then quarantined.
 * Throws when no worker can load the rules.
 */
export async function createScanPool(options: ScanPoolOptions): Promise<ScanPool> {
  const { workers, deadlineMs, packsDir, queueMax = QUEUE_MAX } = options
  const onTrouble = options.onTrouble ?? (() => undefined)
  const queue: Job[] = []
  const slotOptions: SlotOptions = { deadlineMs, packsDir, onTrouble, onRoom: () => drain() }
  const slots = Array.from({ length: workers }, () => new ScanSlot(slotOptions))
  let closed = false
  const versions = await Promise.all(slots.map((slot) => slot.start()))
  let version = versions[0] ?? ''

  function drain(): void {
    while (!closed && queue.length > 0) {
      const slot = roomiest(slots)
      const job = slot && queue.shift()
      if (!slot || !job) return
      void run(slot, job)
    }
  }

  async function run(slot: ScanSlot, job: Job): Promise<void> {
    const outcome = await slot.scan(job.input)
    if (outcome.type === 'lost') job.tries++
    if (outcome.type === 'scanned') {
      job.resolve(outcome.result)
    } else if (job.tries < TRIES_MAX && !closed) {
      queue.unshift(job)
      drain()
    } else {
      const reason = outcome.type === 'lost' ? outcome.reason : 'the pool is closing'
      onTrouble(`scan gave up after ${job.tries} tries: ${reason}`)
      job.resolve({ overrun: true, result: refusal(version, TIMED_OUT, firstField(job.input)) })
    }
  }

  function scan(input: ScanInput): Promise<ScanResult | Overrun> {
    if (closed || queue.length >= queueMax) return Promise.resolve(turnedAway(input, version))
    return new Promise((resolve) => {
      queue.push({ input, tries: 0, resolve })
      drain()
    })
  }

  /** One worker proves the new set; only then do the others take it. */
  async function reload() {
    const [first, ...others] = slots
    if (first === undefined) return { swapped: false, version, reason: 'no workers' }
    const proof = await first.reload()
    if (!proof.swapped) {
      onTrouble(`rule set refused: ${proof.reason}`)
      return { ...proof, version }
    }
    await Promise.all(others.map((slot) => slot.reload()))
    version = proof.version
    return proof
  }

  async function close(): Promise<void> {
    closed = true
    for (const job of queue.splice(0)) job.resolve(turnedAway(job.input, version))
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

function turnedAway(input: ScanInput, version: string): Overrun {
  return { overrun: true, result: refusal(version, TOO_BUSY, firstField(input)) }
}

function firstField(input: ScanInput): string {
  return Object.keys(input.fields)[0] ?? ''
}
