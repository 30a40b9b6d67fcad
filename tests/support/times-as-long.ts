/**
 * Work that takes less than this is quick, whatever it is compared with: new memory and its
 * collection alone may take as long.
 */
const QUICK_MS = 20

/**
 * How many times as much processor time `work` takes as `other` does, each at its quickest of three
 * runs in turn: the same on a slow machine, and on one that has other work.
 */
export function timesAsLong(work: () => void, other: () => void): number {
  let [workMs, otherMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let n = 0; n < 3; n++) {
    workMs = Math.min(workMs, processorMs(work))
    otherMs = Math.min(otherMs, processorMs(other))
  }
  return workMs / Math.max(otherMs, QUICK_MS)
}

/**
 * How many times as long `work` takes for an input of this size as for eight inputs of an eighth of
 * it: about 1 if its time grows with the size, about 8 if it grows with the square of it.
 */
export function growth(work: (size: number) => void, size: number): number {
  const inParts = () => {
    for (let n = 0; n < 8; n++) work(size / 8)
  }
  return timesAsLong(() => work(size), inParts)
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
