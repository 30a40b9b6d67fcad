/** Keeps this process, and nobody else, from doing anything. */
export function holdUp(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
}
