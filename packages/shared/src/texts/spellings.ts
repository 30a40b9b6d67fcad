interface Spelling {
  /** Matches a name in any case; PostgreSQL reads the pattern as well. */
  pattern: string
  /** The word that many write in its place, in tags above all. */
  word: string
}

const BEFORE = '(?<![a-z0-9])'

/**
 * Names that differ only by signs, where they stand alone: `example.net` is a host. A number may
 * follow, as in `C++17` or `.NET8`.
 */
export const SIGNED_NAMES: readonly Spelling[] = [
  { pattern: `${BEFORE}(c|g|clang|libc|libstdc|notepad)[+]{2}(?![a-z+])`, word: '$1pp' },
  { pattern: `${BEFORE}([cf])#(?![a-z#])`, word: '$1sharp' },
  { pattern: '(?<![a-z0-9)\\]*.])[.](net)(?![a-z])', word: 'dot$1' },
]

/**
 * Spellings that mean the same wherever they stand, each with the word to search for. A spelling
 * that sometimes means something else, as `js` or `set up`, would mislead.
 */
const SAME: ReadonlyMap<string, string> = new Map([
  ['k8s', 'kubernetes'],
  ['h.264', 'h264'],
  ['h.265', 'h265'],
  ['postgres', 'postgresql'],
  ['env var', 'environment variable'],
  ['env vars', 'environment variables'],
  ['time out', 'timeout'],
  ['times out', 'timeout'],
  ['timed out', 'timeout'],
  ['timing out', 'timeout'],
])

/**
 * The shorter name finds the longer one too, but not the reverse: `go`, and names that end in
 * `.js`, mean more.
 */
const SHORTER: ReadonlyMap<string, string> = new Map([
  ['golang', 'go'],
  ['javascript', 'js'],
  ['typescript', 'ts'],
])

const anyOf = (words: ReadonlyMap<string, string>) =>
  `${BEFORE}(?:${[...words.keys()].join('|').replaceAll('.', '[.]').replaceAll(' ', '[\\s-]')})(?![a-z0-9])`

/** A number whose digits stand in groups, such as `65,536` or `65_536`. */
const GROUPED = '[1-9](?<![\\w.,].)\\d{0,2}(?:(?:,\\d{3})+|(?:_\\d{3})+)(?!\\w|[.,]\\d)'

const SIGNED_NAME = SIGNED_NAMES.map(({ pattern }) => pattern).join('|')
const ALIKE = `${SIGNED_NAME}|${anyOf(SAME)}|${GROUPED}`
const EACH_ALIKE = new RegExp(ALIKE, 'gi')
const SPELLING = new RegExp(`${ALIKE}|${anyOf(SHORTER)}`, 'gi')
const ONLY_SIGNED = new RegExp(SIGNED_NAME, 'gi')
const EACH_SIGNED = SIGNED_NAMES.map(
  ({ pattern, word }) => [new RegExp(pattern, 'i'), word] as const,
)
const SIGN = /[+#.]/

/** The text with each spelling replaced by what `write` makes of it and of its common word. */
export function withSpellings(
  text: string,
  write: (found: string, word: string) => string,
): string {
  return text.replaceAll(SPELLING, (found) => write(found, wordFor(found)))
}

/** A query with each spelling replaced by the word that all spellings are found by. */
export function spelledAlike(q: string): string {
  return q.replaceAll(EACH_ALIKE, (found) => `${wordFor(found)} `)
}

/** The same only for names that differ by signs. */
export function namesSpelledAlike(q: string): string {
  return q.replaceAll(ONLY_SIGNED, (found) => `${wordFor(found)} `)
}

const FOUND_BY = new Set([...SAME.values(), ...SHORTER.values()].flatMap((word) => word.split(' ')))
const FOUND_BY_FORM = /^(?:\d{4,}|.*pp|.*sharp|dotnet)$/

/** Whether a word of a query may have other spellings, which take time to look for. */
export function isFoundBy(word: string): boolean {
  return FOUND_BY.has(word) || FOUND_BY_FORM.test(word)
}

/**
 * Calls `found` with the place of each spelling and its common word, until `found` returns false.
 */
export function eachSpelling(
  text: string,
  found: (start: number, end: number, word: string) => boolean,
): void {
  for (const { 0: spelling, index } of text.matchAll(SPELLING)) {
    if (!found(index, index + spelling.length, wordFor(spelling))) return
  }
}

function wordFor(spelling: string): string {
  const other = spelling.toLowerCase().replace(/[\s-]/, ' ')
  const word = SAME.get(other) ?? SHORTER.get(other)
  if (word !== undefined) return word
  if (!SIGN.test(spelling)) return spelling.replaceAll(/[,_]/g, '')
  const written = EACH_SIGNED.reduce((text, [name, word]) => text.replace(name, word), spelling)
  return written.toLowerCase()
}
