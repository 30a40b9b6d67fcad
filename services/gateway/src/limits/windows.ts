import type { Budget, LimitClass, Rate } from './classes.ts'

interface Window {
  count: number
  /** In milliseconds, by the clock of the caller. */
  endsAt: number
}

/** Fixed windows per key, in memory and bounded: when full, those begun longest ago are dropped. */
export class Windows {
  readonly #name: LimitClass
  readonly #rate: Rate
  readonly #keysMax: number
  readonly #windows = new Map<string, Window>()

  constructor(name: LimitClass, rate: Rate, keysMax = 50_000) {
    this.#name = name
    this.#rate = rate
    this.#keysMax = keysMax
  }

  /** Counts one request. It fits when `remaining` is not negative. */
  take(key: string, now: number): Budget {
    let window = this.#windows.get(key)
    if (!window || window.endsAt <= now) {
      this.#windows.delete(key)
      if (this.#windows.size >= this.#keysMax) this.#dropOldest()
      window = { count: 0, endsAt: now + this.#rate.windowSeconds * 1_000 }
      this.#windows.set(key, window)
    }
    window.count++
    return this.#budget(window, now)
  }

  /** Whether one more request would fit. */
  hasRoom(key: string, now: number): boolean {
    const window = this.#windows.get(key)
    return !window || window.endsAt <= now || window.count < this.#rate.points
  }

  /** The budget without counting anything. */
  peek(key: string, now: number): Budget {
    const window = this.#windows.get(key)
    const current = window && window.endsAt > now ? window : undefined
    return this.#budget(
      current ?? { count: 0, endsAt: now + this.#rate.windowSeconds * 1_000 },
      now,
    )
  }

  #budget(window: Window, now: number): Budget {
    return {
      name: this.#name,
      rate: this.#rate,
      remaining: this.#rate.points - window.count,
      // Fractions are added and subtracted inexactly: the result may exceed the window a little,
      // which would count as a second more.
      resetMs: Math.min(Math.ceil(window.endsAt - now), this.#rate.windowSeconds * 1_000),
    }
  }

  /** Drops a tenth at once: to find the oldest key, a Map walks over all keys deleted before it. */
  #dropOldest(): void {
    const kept = Math.floor(this.#keysMax * 0.9)
    for (const key of this.#windows.keys()) {
      if (this.#windows.size <= kept) break
      this.#windows.delete(key)
    }
  }
}
