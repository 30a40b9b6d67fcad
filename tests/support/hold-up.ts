/** Blocks this process, without taking the processor from any other. */
export function holdUp(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
}
