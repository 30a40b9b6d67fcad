/**
 * A timer that lets input that has arrived by then be read first. A process that was held up, by
 * its own work or because its machine stood still, would otherwise run its timers before reading,
 * and call an answer late that came in time.
 */
export function afterMs(deadlineMs: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), deadlineMs)
}
