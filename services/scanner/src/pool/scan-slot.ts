import type { PackTexts } from '../rules/pack-texts.ts'
import type { ItemTexts } from '../types.ts'
import { type ScanOutcome, ScanThread } from './scan-thread.ts'

export type SlotOptions = {
  deadlineMs: number
  /** The rule set in force, with which every new worker starts. */
  packs: () => PackTexts
  onTrouble: (trouble: string) => void
  /** Told when it has room again. */
  onRoom: () => void
}

/** Whether the new set is in force, its version, and why it is not. */
export type Reloaded = { swapped: boolean; version: string; reason: string }

const RESTART_PAUSE_MAX_MS = 5_000

/** A place for one worker: a worker that is lost is replaced, and so is one whose rules are outdated. */
export class ScanSlot {
  private readonly options: SlotOptions
  private current: ScanThread | null = null
  private readonly threads = new Set<ScanThread>()
  private stopped = false
  private failures = 0

  constructor(options: SlotOptions) {
    this.options = options
  }

  /** How many more scans it takes now. */
  room(): number {
    return this.current?.room() ?? 0
  }

  /** Starts the worker and resolves with its rule set's version; rejects when the rules do not load. */
  start(): Promise<string> {
    return this.begin(this.options.packs())
  }

  scan(texts: ItemTexts): Promise<ScanOutcome> {
    return this.current?.scan(texts) ?? Promise.resolve({ type: 'untouched' })
  }

  /** The old worker scans on until a new one has loaded and proved the set. */
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

  /** A worker that only fills the place gives way to one that came meanwhile: its rules may be newer. */
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
