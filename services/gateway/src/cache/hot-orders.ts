import type { Meta } from '@stoa/shared/bus/meta.js'
import type { InputOf, OutputOf } from '@stoa/shared/contract.js'
import { listHot } from '@stoa/shared/contracts/feed.js'
import { hotTag, isHotTag } from '@stoa/shared/list-tags.js'
import { LRUCache } from 'lru-cache'
import { type Ask, parseAnswer } from '../downstream/ask.ts'
import { Invalidations } from './invalidations.ts'

type Input = InputOf<typeof listHot>
type Order = OutputOf<typeof listHot>

interface Kept {
  order: Order
  tag: string
  /** When it was asked for: a moment of the invalidations, and in milliseconds. */
  askedAt: number
  askedAtMs: number
}

/** Pages; one holds 100 ids with their scores at most. */
const ORDERS_MAX = 500

/**
 * Pages of the hot order as ranking gave them: ids and scores, the same for every reader. Ranking
 * tells when posts came or went; that they moved is seen once the page is too old. Whether a post
 * may be shown is not for the order to say.
 */
export class HotOrders {
  readonly #ask: Ask
  readonly #freshMs: number
  readonly #clock: () => number
  readonly #kept = new LRUCache<string, Kept>({ max: ORDERS_MAX })
  readonly #invalidations = new Invalidations()

  /** Gives a page for `freshMs` at most after it was asked for. */
  constructor(ask: Ask, freshMs: number, clock: () => number = Date.now) {
    this.#ask = ask
    this.#freshMs = freshMs
    this.#clock = clock
  }

  /** A page that may be `freshMs` old. Throws what ranking throws. */
  async recent(input: Input, meta: Meta): Promise<Order> {
    const kept = this.#kept.get(keyOf(input))
    return kept && this.#holds(kept) ? kept.order : this.fresh(input, meta)
  }

  /** The page as it is now. Throws what ranking throws. */
  async fresh(input: Input, meta: Meta): Promise<Order> {
    const [askedAt, askedAtMs] = [this.#invalidations.now, this.#clock()]
    const order = parseAnswer(listHot, await this.#ask(listHot, input, meta))
    if (order.ranked) {
      this.#kept.set(keyOf(input), { order, tag: hotTag(input.community), askedAt, askedAtMs })
    }
    return order
  }

  invalidate(tags: readonly string[]): void {
    const ours = tags.filter(isHotTag)
    if (ours.length > 0) this.#invalidations.record(ours)
  }

  clear(): void {
    this.#invalidations.recordAll()
  }

  #holds({ tag, askedAt, askedAtMs }: Kept): boolean {
    const isFresh = this.#clock() - askedAtMs < this.#freshMs
    return isFresh && !this.#invalidations.hasSince([tag], askedAt)
  }
}

function keyOf({ community, before, limit }: Input): string {
  return JSON.stringify([community, before, limit])
}
