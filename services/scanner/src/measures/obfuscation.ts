import { lookalike } from '@stoa/shared/names/lookalikes.js'
import type { Hit, HitRule } from '../matching/hit.ts'
import type { FieldText } from '../reading/field.ts'
import {
  isBidiControl,
  isFormOfIdeograph,
  isInvisible,
  isLatinLetter,
  isLookalikeScript,
  isRightToLeft,
  isTag,
  isVariationSupplement,
  lengthOf,
} from '../reading/views/characters.ts'
import { isAscii } from '../reading/views/fold.ts'

/** Invisible characters of several kinds in a row; this many stand for at least two bytes. */
const CARRIER_LENGTH_MIN = 16
/** Shorter runs of styled letters are names of matrices and vectors, as in a formula. */
const STYLED_WORD_MIN = 3

const SYMBOLS = 'αβγδεζηθκλμξπρστφχψωΓΔΘΛΞΠΣΦΨΩ'
/** The longest index after a symbol, as in `ηtotal`. */
const INDEX_LENGTH_MAX = 5

/** Letters of each kind in a word so far, its start, and whether it begins with a symbol. */
type Word = { latin: number; alike: number; other: number; start: number; symbol: boolean }

type Signal = { count: number; start: number; end: number }

/** Hits for writing that hides its text. Hiding is evidence by itself, whatever the words say. */
export function measureObfuscation(field: FieldText): Hit[] {
  if (isAscii(field.raw)) return []
  const signals = countSignals(field.raw)
  const hits: Hit[] = []
  const report = (rule: HitRule, signal: Signal, score: number) => {
    if (score < 0.3) return
    const { start, end } = signal
    hits.push({ rule, field, start, end, chain: [], context: 'hidden', score, cap: 'quarantine' })
  }
  report(TAGS, signals.tags, signals.tags.count >= 4 ? 0.9 : 0)
  report(TAGS, signals.carriers, signals.carriers.count >= 1 ? 0.9 : 0)
  report(BIDI, signals.bidi, signals.bidi.count >= 1 ? 0.6 : 0)
  report(ZERO_WIDTH, signals.invisibleInWord, signals.invisibleInWord.count >= 3 ? 0.6 : 0)
  report(MIXED, signals.mixedWords, signals.mixedWords.count >= 2 ? 0.6 : 0)
  report(STYLED, signals.styled, signals.styled.count >= 8 ? 0.55 : 0)
  return hits
}

/**
 * Whether a bidi control reverses nothing. U+202A and U+2066 reverse no Latin letters; paths copied
 * from a Windows dialog begin with one. U+202B and U+2067 do not reverse text that runs from right
 * to left anyway: Hebrew and Arabic program messages begin with one.
 */
function isIdleBidi(code: number, next: number): boolean {
  if (code === 0x202a || code === 0x2066 || code === 0x202c) return true
  return (code === 0x202b || code === 0x2067) && isRightToLeft(next)
}

function countSignals(raw: string) {
  const signals = {
    tags: none(),
    carriers: none(),
    bidi: none(),
    invisibleInWord: none(),
    mixedWords: none(),
    styled: none(),
  }
  let word: Word = { latin: 0, alike: 0, other: 0, start: 0, symbol: false }
  let run = NO_RUN
  let styledRun = 0
  let cjk = 0
  let letterBefore = 0
  for (let index = 0; index < raw.length; ) {
    const code = raw.codePointAt(index) ?? 0
    const width = lengthOf(code, raw, index)
    const isForm = isFormOfIdeograph(code, letterBefore)
    if ((isTag(code) || isVariationSupplement(code)) && !isForm)
      note(signals.tags, index, index + width)
    const isUnseen = isInvisible(code)
    run = isUnseen ? inRun(run, code, index) : NO_RUN
    if (run.isMixed && run.length === CARRIER_LENGTH_MIN)
      note(signals.carriers, run.start, index + width)
    if (isBidiControl(code) && !isIdleBidi(code, raw.codePointAt(index + width) ?? 0))
      note(signals.bidi, index, index + width)
    styledRun = isStyledLatin(code) ? styledRun + 1 : 0
    if (styledRun >= STYLED_WORD_MIN) note(signals.styled, index, index + width)
    if (styledRun === STYLED_WORD_MIN) signals.styled.count += STYLED_WORD_MIN - 1
    if (code >= 0x3000 && code <= 0x9fff) cjk++
    if (isUnseen && code !== 0xad) {
      const next = raw.codePointAt(index + width) ?? 0
      if (isLatinLetter(letterBefore) && (isLatinLetter(next) || isInvisible(next))) {
        note(signals.invisibleInWord, index, index + width)
      }
    } else {
      letterBefore = code
      if (isLatinLetter(code)) word.latin++
      else if (isLookalikeScript(code)) {
        if (index === word.start) word.symbol = isSymbol(code)
        lookalike(code) === undefined ? word.other++ : word.alike++
      } else {
        if (isMixed(word)) note(signals.mixedWords, word.start, index)
        word = { latin: 0, alike: 0, other: 0, start: index + width, symbol: false }
      }
    }
    index += width
  }
  if (isMixed(word)) note(signals.mixedWords, word.start, raw.length)
  // Fullwidth Latin letters are normal in Chinese and Japanese text.
  if (cjk > signals.styled.count) signals.styled.count = 0
  return signals
}

/** A run of invisible characters. */
type Run = { length: number; start: number; first: number; isMixed: boolean }

const NO_RUN: Run = { length: 0, start: 0, first: 0, isMixed: false }

function inRun(run: Run, code: number, index: number): Run {
  if (run.length === 0) return { length: 1, start: index, first: code, isMixed: false }
  return { ...run, length: run.length + 1, isMixed: run.isMixed || code !== run.first }
}

/** Whether a word mixes Latin with look-alikes alone; mojibake mixes in other letters too. */
function isMixed(word: Word): boolean {
  if (word.symbol && word.alike === 1 && word.latin <= INDEX_LENGTH_MAX) return false
  return word.latin > 0 && word.alike > 0 && word.other === 0 && word.latin + word.alike >= 3
}

/** Whether a Greek letter stands for a quantity and does not look Latin: `σmax`, `Δt`. */
function isSymbol(code: number): boolean {
  return SYMBOLS.includes(String.fromCharCode(code))
}

function none(): Signal {
  return { count: 0, start: 0, end: 0 }
}

function note(signal: Signal, start: number, end: number): void {
  if (signal.count === 0) signal.start = start
  signal.count++
  signal.end = end
}

/** Fullwidth, mathematical and enclosed Latin letters. */
function isStyledLatin(code: number): boolean {
  return (
    (code >= 0xff21 && code <= 0xff5a) ||
    (code >= 0x1d400 && code <= 0x1d6a3) ||
    (code >= 0x24b6 && code <= 0x24e9) ||
    (code >= 0x1f130 && code <= 0x1f189)
  )
}

const FIX =
  'Write the text in plain characters; show unusual ones by their code points, such as U+200B.'

function rule(id: string, why: string): HitRule {
  return { id, version: 1, category: 'obfuscation', severity: 'high', group: id, why, fix: FIX }
}

const TAGS = rule(
  'obfuscation.invisible-text',
  'The text carries characters that are invisible and spell something.',
)
const BIDI = rule(
  'obfuscation.bidi-control',
  'The text contains controls that reorder what a reader sees.',
)
const ZERO_WIDTH = rule('obfuscation.split-words', 'Words are cut by invisible characters.')
const MIXED = rule('obfuscation.mixed-script', 'Words mix letters of scripts that look alike.')
const STYLED = rule(
  'obfuscation.styled-letters',
  'Plain words are written in look-alike styled letters.',
)
