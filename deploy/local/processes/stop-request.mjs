const PARENT_CHECK_EVERY_MS = 500
const SAME_WISH_WITHIN_MS = 1_000

/**
 * Turns the wish to stop into one abort signal: Ctrl-C, SIGTERM, a closed terminal, or the end
 * of the npm that runs this script (npm killed outright passes nothing on). A second signal,
 * a second later or more, ends the process at once.
 *
 * @returns {AbortSignal}
 */
export function stopOnSignals() {
  const controller = new AbortController()
  let firstAt = Number.POSITIVE_INFINITY
  const stop = (/** @type {string} */ reason) => controller.abort(new Error(`Stopped: ${reason}.`))
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // Ctrl-C arrives twice under npm: from the terminal, and passed on by npm.
      if (performance.now() - firstAt > SAME_WISH_WITHIN_MS) process.exit(130)
      firstAt = Math.min(firstAt, performance.now())
      stop(signal)
    })
  }
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid !== parent) stop('npm is gone')
    }, PARENT_CHECK_EVERY_MS)
    timer.unref()
  }
  // A terminal that is gone must not keep the stop from finishing.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  return controller.signal
}

/** @param {AbortSignal} signal */
export async function untilAborted(signal) {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}
