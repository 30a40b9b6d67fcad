/**
 * Work under way, by key: a map whose entries come and go a thousand times a second. A `Map`
 * replaces its table every so often, and the old table still points to the new. Once a dead table
 * has been promoted to the old generation, each later one is too, with all its values, until V8
 * collects the whole heap. So values stand in boxes here, which are emptied when they are taken.
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

  /** Removes and returns the value. */
  take(key: string): Value | undefined {
    const box = this.#boxes.get(key)
    if (!box) return undefined
    this.#boxes.delete(key)
    const { value } = box
    box.value = undefined
    return value
  }

  /** Removes the value if it is the one that is there. */
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

/** The work under way for this key, or else what `start` begins. It stays until it has settled. */
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
