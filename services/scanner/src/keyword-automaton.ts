/** Where a keyword ends in the searched text (UTF-16 offset, exclusive). */
export type KeywordHit = { keyword: number; end: number }

const ASCII = 128

/**
 * Aho-Corasick over ASCII keywords: one pass finds every occurrence of every keyword, in time
 * linear in the text plus the number of hits. Upper case is read as lower case; a character outside
 * ASCII leads back to the root. (Aho, Corasick 1975.)
 */
export class KeywordAutomaton {
  private readonly next: Int32Array
  private readonly outputs: (readonly number[])[]

  constructor(keywords: readonly string[]) {
    const { next, outputs } = build(keywords)
    this.next = next
    this.outputs = outputs
  }

  /** Every hit in reading order, at most `limit`. */
  find(text: string, limit: number): KeywordHit[] {
    const hits: KeywordHit[] = []
    const { next, outputs } = this
    let state = 0
    for (let index = 0; index < text.length; index++) {
      let code = text.charCodeAt(index)
      if (code >= 65 && code <= 90) code += 32
      state = code < ASCII ? (next[state * ASCII + code] ?? 0) : 0
      const ended = outputs[state]
      if (ended === undefined || ended.length === 0) continue
      for (const keyword of ended) hits.push({ keyword, end: index + 1 })
      if (hits.length >= limit) return hits
    }
    return hits
  }
}

function build(keywords: readonly string[]) {
  const size = keywords.reduce((sum, keyword) => sum + keyword.length, 1)
  const next = new Int32Array(size * ASCII).fill(-1)
  const outputs: number[][] = [[]]
  keywords.forEach((keyword, id) => {
    let state = 0
    for (const char of keyword.toLowerCase()) {
      const slot = state * ASCII + (char.codePointAt(0) ?? 0)
      if ((char.codePointAt(0) ?? ASCII) >= ASCII)
        throw new Error(`not an ASCII keyword: ${keyword}`)
      if (next[slot] === -1) {
        next[slot] = outputs.length
        outputs.push([])
      }
      state = next[slot] ?? 0
    }
    outputs[state]?.push(id)
  })
  linkFailures(next, outputs)
  return { next, outputs }
}

function linkFailures(next: Int32Array, outputs: number[][]): void {
  const failure = new Int32Array(outputs.length)
  const queue: number[] = []
  for (let code = 0; code < ASCII; code++) {
    const child = next[code] ?? -1
    if (child > 0) queue.push(child)
    else next[code] = 0
  }
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0
    const fallback = failure[state] ?? 0
    outputs[state]?.push(...(outputs[fallback] ?? []))
    for (let code = 0; code < ASCII; code++) {
      const slot = state * ASCII + code
      const child = next[slot] ?? -1
      const viaFallback = next[fallback * ASCII + code] ?? 0
      if (child === -1) {
        next[slot] = viaFallback
      } else {
        failure[child] = viaFallback
        queue.push(child)
      }
    }
  }
}
