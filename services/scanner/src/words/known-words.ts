const SLOTS = 4096
/** How many first letters of a word `mayBe` looks at. */
export const HEAD = 3

/**
 * Words that count as known. Most strings that are asked for are unknown, and their first letters,
 * last letter and length show this without a string being made.
 */
export class KnownWords {
  private readonly words: ReadonlySet<string>
  /** For each hash of first and last letters, a bit for each length of the words with them. */
  private readonly lengths = new Uint32Array(SLOTS)

  /** The first letter of each word, by the steps between its letters, which substitutions keep. */
  private readonly bySteps = new Map<string, number>()

  constructor(words: Iterable<string>) {
    this.words = new Set(words)
    for (const word of this.words) {
      if (word.length < HEAD) continue
      const slot = slotOf(word, word)
      this.lengths[slot] = (this.lengths[slot] ?? 0) | bitOf(word.length)
      this.bySteps.set(stepsOf(word), word.charCodeAt(0))
    }
  }

  has(word: string): boolean {
    return this.words.has(word)
  }

  firstBySteps(steps: string): number | undefined {
    return this.bySteps.get(steps)
  }

  /**
   * False only if no known word of `length` begins as `head`, of at least HEAD letters, and ends as
   * `tail`.
   */
  mayBe(head: string, tail: string, length: number): boolean {
    return ((this.lengths[slotOf(head, tail)] ?? 0) & bitOf(length)) !== 0
  }
}

/** The steps from each letter of a word to the next, along the alphabet or against it. */
export function stepsOf(word: string, direction: 1 | -1 = 1): string {
  let steps = ''
  for (let at = 1; at < word.length; at++) {
    const step = direction * (word.charCodeAt(at) - word.charCodeAt(at - 1))
    steps += String.fromCharCode(97 + (((step % 26) + 26) % 26))
  }
  return steps
}

function slotOf(head: string, tail: string): number {
  const first = head.charCodeAt(0) * 1024 + head.charCodeAt(1) * 32 + head.charCodeAt(2)
  return (first + tail.charCodeAt(tail.length - 1) * 613) & (SLOTS - 1)
}

/** The longest words share the last bit. */
function bitOf(length: number): number {
  return 1 << Math.min(length, 31)
}
