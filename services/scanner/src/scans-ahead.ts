import type { CaseVerdict, SubmissionTexts } from '@stoa/shared/contracts/scans.js'

/** Kept until they are asked for; beyond that the oldest goes. */
const KEPT_MAX = 256
/** A scanner that is behind with what was asked for does not work ahead. */
const UNDER_WAY_MAX = 32
/** Of so many scans at least such a share must have been asked for here. */
const TRIAL = 128
const USED_SHARE = 0.75
/** Otherwise so many texts are left before it is tried again. */
const LEFT = 4_096

/**
 * Scans that are begun before they are asked for. With several scanners another one is mostly asked,
 * and the work would be done twice: then there are few.
 */
export class ScansAhead {
  readonly #judge: (item: SubmissionTexts) => Promise<CaseVerdict>
  readonly #begun = new Map<string, Promise<CaseVerdict>>()
  #underWay = 0
  #tried = 0
  #used = 0
  #toLeave = 0

  constructor(judge: (item: SubmissionTexts) => Promise<CaseVerdict>) {
    this.#judge = judge
  }

  begin(item: SubmissionTexts): void {
    if (this.#underWay >= UNDER_WAY_MAX || !this.#isWorthIt()) return
    this.#underWay++
    const scan = this.#judge(item).finally(() => this.#underWay--)
    // Whoever asks then fetches the text, and hears of it.
    scan.catch(() => this.#begun.delete(item.case_id))
    this.#begun.set(item.case_id, scan)
    for (const oldest of this.#begun.keys()) {
      if (this.#begun.size <= KEPT_MAX) break
      this.#begun.delete(oldest)
    }
  }

  /** The verdict on a case, once; undefined where its scan was not begun. */
  take(caseId: string): Promise<CaseVerdict> | undefined {
    const scan = this.#begun.get(caseId)
    if (this.#begun.delete(caseId)) this.#used++
    return scan
  }

  #isWorthIt(): boolean {
    if (this.#toLeave > 0) {
      this.#toLeave--
      return false
    }
    if (this.#tried === TRIAL) {
      if (this.#used < TRIAL * USED_SHARE) this.#toLeave = LEFT
      this.#tried = 0
      this.#used = 0
    }
    this.#tried++
    return true
  }
}
