const BAR_LENGTH = 30
const REDRAW_MS = 200
const PLAIN_MS = 5_000

/** One line on standard error: a bar on a terminal, otherwise a plain line every five seconds. */
export function progressLine() {
  const stream = process.stderr
  let drawnAt = 0
  let lastWhat = ''
  let width = 0
  const startedAt = Date.now()
  const clear = () => {
    if (stream.isTTY && width > 0) stream.write(`\r${' '.repeat(width)}\r`)
    width = 0
  }
  return {
    /**
     * @param {number} done
     * @param {number} total
     * @param {string} what
     */
    show(done, total, what) {
      const now = Date.now()
      const interval = stream.isTTY ? REDRAW_MS : PLAIN_MS
      const isNew = stream.isTTY && what !== lastWhat
      if (!isNew && now - drawnAt < interval) return
      drawnAt = now
      lastWhat = what
      const share = total > 0 ? Math.min(1, done / total) : 0
      const bar = '#'.repeat(Math.round(share * BAR_LENGTH)).padEnd(BAR_LENGTH, '.')
      const seconds = ((now - startedAt) / 1000).toFixed(0)
      const line = `[${bar}] ${(share * 100).toFixed(0).padStart(3)} % ${seconds} s  ${what}`
      clear()
      width = line.length
      stream.write(stream.isTTY ? line : `${line}\n`)
    },
    /** @param {string} line */
    say(line) {
      clear()
      stream.write(`${line}\n`)
    },
    clear,
  }
}
