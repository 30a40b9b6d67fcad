import type { PackTexts } from '../rules/pack-texts.ts'
import type { ItemTexts } from '../types.ts'
import { type ScanOutcome, ScanThread } from './scan-thread.ts'

export type SlotOptions = {
  deadlineMs: number
  /** The rule set in force, with which every new worker starts. */
  packs: () => PackTexts
  onTrouble: (trouble: string) => void
  /** Called when the slot has room again. */
  onRoom: () => void
}

/** Whether the new set is in force, the version of the set, and the reason if it was refused. */
export type Reloaded = { swapped: boolean; version: string; reason: string }

const RESTART_PAUSE_MAX_MS = 5_000

/** A place for one worker, which is replaced if it dies or if its rules are outdated. */
export class ScanSlot {
  private readonly options: SlotOptions
  private current: ScanThread | null = null
  private readonly threads = new Set<ScanThread>()
  private stopped = false
  private failures = 0

  constructor(options: SlotOptions) {
    this.options = options
  }

  /** How many more scans the slot can take now. */
  room(): number {
    return this.current?.room() ?? 0
  }

  /** Starts the worker; resolves with its rule set's version, rejects if the rules do not load. */
  start(): Promise<string> {
    return this.begin(this.options.packs())
  }

  scan(texts: ItemTexts): Promise<ScanOutcome> {
    return this.current?.scan(texts) ?? Promise.resolve({ type: 'untouched' })
  }

  /** The old worker scans until a new one has loaded and proved the set, and then retires. */
  async reload(packs: PackTexts): Promise<Reloaded> {
    try {
      return { swapped: true, version: await this.begin(packs, 'replace'), reason: '' }
    } catch (error) {
      return { swapped: false, version: '', reason: (error as Error).message }
    }
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.current = null
    await Promise.all([...this.threads].map((thread) => thread.stop()))
  }

  /** A worker started to fill the place retires if it is taken: the other's rules may be newer. */
  private async begin(packs: PackTexts, how: 'fill' | 'replace' = 'fill'): Promise<string> {
    const { deadlineMs, onRoom } = this.options
    const onLost = (reason: string) => this.lost(thread, reason)
    const thread: ScanThread = new ScanThread({ packs, deadlineMs, onRoom, onLost })
    this.threads.add(thread)
    void thread.exited.then(() => this.threads.delete(thread))
    const version = await thread.started
    this.failures = 0
    if (how === 'fill' && this.current !== null) {
      thread.retire()
      return version
    }
    this.current?.retire()
    this.current = thread
    onRoom()
    return version
  }

  private lost(thread: ScanThread, reason: string): void {
    if (this.current !== thread) return
    this.current = null
    this.restart(reason)
  }

  private restart(reason: string): void {
    if (this.stopped || this.current !== null) return
    this.options.onTrouble(`scan worker replaced: ${reason}`)
    const pause = Math.min(RESTART_PAUSE_MAX_MS, this.failures * 250)
    this.failures++
    setTimeout(() => {
      if (this.stopped || this.current !== null) return
      this.begin(this.options.packs()).catch((error: Error) => this.restart(error.message))
    }, pause).unref()
  }
}
