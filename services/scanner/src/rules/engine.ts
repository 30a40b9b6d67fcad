import { createRequire } from 'node:module'
import { RE2JS } from 're2js'

/** One match: UTF-16 offsets of the whole match and of its first group (or of the whole again). */
export type Match = { start: number; end: number; innerStart: number; innerEnd: number }

/** A compiled pattern whose matching time is linear in the text, whichever engine runs it. */
export type Pattern = {
  test: (text: string) => boolean
  testExact: (text: string) => boolean
  matches: (text: string, limit: number) => Match[]
  /** Drops what the engine remembers of earlier texts; the pattern finds the same without it. */
  forget: () => void
}

type NativeRe2 = new (source: string, flags: string) => RegExp

const native = loadNative()

export const ENGINE: 're2' | 're2js' = native === undefined ? 're2js' : 're2'

/**
 * Compiles RE2 syntax; inline flags such as `(?i)` are allowed.
 * Throws when the pattern is not RE2 (a backreference, a lookaround).
 */
export function compilePattern(source: string): Pattern {
  return native === undefined ? compilePortable(source) : compileNative(native, source)
}

/** Up to this many matches, a second matcher is not worth its memory, which is as much again. */
const FEW_MATCHES = 32
/**
 * An alternative that matches nowhere and holds no text. Before each match the engine searches all
 * remaining text for the texts that a match must hold; with this alternative there are none, so
 * that the cost of many matches is in proportion to their number.
 */
const NOWHERE = '\\b\\B'

function compilePortable(source: string): Pattern {
  const compiled = RE2JS.compile(source)
  let placing: RE2JS | undefined
  let hasSeen = false
  const test = (text: string) => {
    hasSeen = true
    return compiled.test(text)
  }
  return {
    forget: () => {
      // Reading `dfa` would make one.
      if (!hasSeen) return
      hasSeen = false
      // DFA states are made as texts need them, up to 8 MB for each of hundreds of patterns. Only
      // the states are dropped, because compiling all patterns again takes longer than a text may
      // wait.
      compiled.re2().dfa.clearCache()
      compiled.reset()
      placing = undefined
    },
    test,
    testExact: (text) => {
      hasSeen = true
      return compiled.testExact(text)
    },
    matches: (text, limit) => {
      // test() runs on the DFA; the matcher, which tracks groups, starts only after a hit.
      if (!test(text)) return []
      const found: Match[] = []
      let matcher = compiled.matcher(text)
      let isThere = matcher.find()
      while (isThere && found.length < limit) {
        const start = matcher.start()
        const end = matcher.end()
        const hasGroup = matcher.groupCount() > 0 && matcher.group(1) !== null
        const innerStart = hasGroup ? matcher.start(1) : start
        const innerEnd = hasGroup ? matcher.end(1) : end
        found.push({ start, end, innerStart, innerEnd })
        if (found.length === FEW_MATCHES) {
          placing ??= RE2JS.compile(`(?:${source})|${NOWHERE}`)
          matcher = placing.matcher(text)
          isThere = matcher.find(end)
        } else isThere = matcher.find()
      }
      return found
    },
  }
}

/** Exported for its test, because the native module may not be installed there. */
export function compileNative(Native: NativeRe2, source: string): Pattern {
  // `d` gives the offsets of groups: a group's text may also occur earlier in the match.
  const search = new Native(source, 'dgu')
  const exact = new Native(`^(?:${source})$`, 'u')
  return {
    forget: () => undefined,
    test: (text) => {
      search.lastIndex = 0
      return search.test(text)
    },
    testExact: (text) => exact.test(text),
    matches: (text, limit) => {
      const found: Match[] = []
      search.lastIndex = 0
      while (found.length < limit) {
        const match = search.exec(text)
        if (match === null) break
        const end = match.index + match[0].length
        const [innerStart, innerEnd] = match.indices?.[1] ?? [match.index, end]
        found.push({ start: match.index, end, innerStart, innerEnd })
        if (match[0].length === 0) search.lastIndex++
      }
      return found
    },
  }
}

function loadNative(): NativeRe2 | undefined {
  try {
    // The native module is optional: without a compiler at install time it is simply not there.
    return createRequire(import.meta.url)('re2') as NativeRe2
  } catch {
    return undefined
  }
}
