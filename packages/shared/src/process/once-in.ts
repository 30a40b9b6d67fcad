/** Answers true once in so many milliseconds at most: for lines that must not fill a log. */
export function onceIn(ms: number): () => boolean {
  let until = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now < until) return false
    until = now + ms
    return true
  }
}
