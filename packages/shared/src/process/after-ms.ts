/**
 * A timer that lets be read first what has arrived by then. A process that was held up meanwhile, by work
 * of its own or since its machine stood still, would otherwise find its timers before that, and say of
 * what was answered in time that it was not.
 */
export function afterMs(deadlineMs: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), deadlineMs)
}
