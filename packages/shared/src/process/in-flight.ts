/**
 * What is under way, by key: a map of what comes and goes a thousand times a second. A `Map` makes
 * itself a new table every so often, and the old one goes on pointing to the new. As soon as one
 * that is dead has outlived the nursery, so does each that follows, with all that stood in it, until
 * V8 collects the whole heap. So values stand in boxes here, which are empty once they are taken.
 */
export class InFlight<Value> {
  readonly #boxes = new Map<string, { value: Value | undefined }>()

  get size(): number {
    return this.#boxes.size
  }

  get(key: string): Value | undefined {
    return this.#boxes.get(key)?.value
  }

  set(key: string, value: Value): void {
    this.take(key)
    this.#boxes.set(key, { value })
  }

  /** What is there, which is gone afterwards. */
  take(key: string): Value | undefined {
    const box = this.#boxes.get(key)
    if (!box) return undefined
    this.#boxes.delete(key)
    const { value } = box
    box.value = undefined
    return value
  }

  /** Takes the value away if it is what is there. */
  end(key: string, value: Value): void {
    if (this.get(key) === value) this.take(key)
  }

  keys(): string[] {
    return [...this.#boxes.keys()]
  }

  *values(): Generator<Value> {
    for (const { value } of this.#boxes.values()) yield value as Value
  }

  clear(): void {
    for (const key of this.keys()) this.take(key)
  }
}

/** The work that is under way by this key, or else what `start` begins. It stays until it has settled. */
export function joinOrStart<T>(
  underWay: InFlight<Promise<T>>,
  key: string,
  start: () => Promise<T>,
): Promise<T> {
  const running = underWay.get(key)
  if (running !== undefined) return running
  const started = start()
  underWay.set(key, started)
  const forget = () => underWay.end(key, started)
  started.then(forget, forget)
  return started
}
