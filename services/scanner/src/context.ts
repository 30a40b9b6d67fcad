import { type FieldText, quotedShare } from './field.ts'
import { isHidden, type Layer, originOf } from './layer.ts'
import { MARK } from './markdown-marks.ts'
import type { Context } from './types.ts'

const NEIGHBOURHOOD = 320
const CUES_MIN = 2
const QUOTED_SHARE_MAX = 0.85
const COMMENT_WORDS_MIN = 6

/** Words by which a writer talks about an attack instead of making it. */
const CUE =
  /\b(?:attack(?:s|er|ers|ed)?|payloads?|examples? of|for example|for instance|e\.g\.|such as|detect(?:s|ed|ion|or|ors|ing)?|malicious|suspicious|cve-\d+|do not (?:run|execute|follow|paste)|don't (?:run|execute|follow|paste)|never (?:run|execute|paste|follow)|injection|injected|exploit(?:s|ed)?|phishing|scam|vulnerab\w+|adversarial|jailbreaks?|jailbroken|malware|mitigat\w+|saniti[sz]\w+|bug report|reported|observed|we saw|i saw|found (?:this|that|it|a|an|in)|noticed|contained|embedded|planted|looks like|technique|defen[cs]es?|defend|prevent\w*|blocked|blocks|filter(?:s|ed)?|flagged|quarantine[ds]?|incident|postmortem|write-?up|analysis|analy[sz]ed?|red.?team\w*|threat|warning|beware|avoid|instead of|dangerous|unsafe|risky|anti-?pattern|test case|fixture|reproduce|repro|steps to|expected|actual)\b/g

/** Words that turn a quotation into an order. */
const ORDER =
  /\b(?:(?:now |please |must |should |then |and )(?:run|execute|follow|obey|apply|paste|do)(?: (?:it|this|that|these|them|the above|the following|the quoted|the command|the instructions?|what it says|as it says|exactly))|(?:follow|obey|execute|carry out) (?:the )?(?:instructions?|commands?|orders?|text|quote|block)(?: (?:above|below|quoted))?|do (?:exactly )?what (?:it|the (?:quote|block|text)) says|treat (?:it|this|the (?:quote|block)) as (?:your|an?) (?:instruction|order|system))\b/

/** Whether the writer's own words order the reader to act on what is quoted. */
export type FieldStance = { ordered: boolean; bareQuote: boolean }

export function stanceOf(field: FieldText): FieldStance {
  const own = ownWords(field)
  const words = own.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0
  return {
    ordered: ORDER.test(own.toLowerCase()),
    bareQuote: words < COMMENT_WORDS_MIN && quotedShare(field) > QUOTED_SHARE_MAX,
  }
}

function ownWords(field: FieldText): string {
  let own = ''
  let start = 0
  const foreign = MARK.code | MARK.quote | MARK.spoken | MARK.comment
  for (let index = 0; index <= field.raw.length; index++) {
    const inOwn = index < field.raw.length && ((field.marks[index] ?? 0) & foreign) === 0
    if (inOwn) continue
    if (index > start) own += ` ${field.raw.slice(start, index)}`
    start = index + 1
  }
  return own
}

/** In which light a range of a layer is read; the order of the checks is the order of weight. */
export function contextOf(
  field: FieldText,
  layer: Layer,
  range: readonly [number, number],
  stance: FieldStance,
): Context {
  const [start, end] = originOf(layer, range[0], range[1])
  const marks = marksAt(field, start, end)
  if ((marks & MARK.comment) !== 0 || layer.chain.includes('invisible')) return 'hidden'
  if (isHidden(layer, range[0], range[1])) {
    // An encoded sample on show, in a frame and with words about it, hides nothing from the reader.
    const shown = (marks & (MARK.code | MARK.quote | MARK.spoken)) !== 0 && !stance.ordered
    return shown && !stance.bareQuote && cuesAround(field.raw, start, end) >= CUES_MIN
      ? 'code'
      : 'hidden'
  }
  if (stance.ordered) return 'prose'
  if ((marks & MARK.quote) !== 0 && !stance.bareQuote) return 'quote'
  if ((marks & MARK.code) !== 0 && !stance.bareQuote) return 'code'
  const cues = cuesAround(field.raw, start, end)
  if ((marks & MARK.spoken) !== 0 && cues > 0) return 'quote'
  return cues >= CUES_MIN ? 'about' : 'prose'
}

function marksAt(field: FieldText, start: number, end: number): number {
  return (field.marks[start] ?? 0) & (field.marks[Math.max(start, end - 1)] ?? 0)
}

function cuesAround(raw: string, start: number, end: number): number {
  const before = raw.slice(Math.max(0, start - NEIGHBOURHOOD), start)
  const after = raw.slice(end, end + NEIGHBOURHOOD)
  const cues = new Set<string>()
  for (const side of [before, after]) {
    for (const match of side.toLowerCase().matchAll(CUE)) cues.add(match[0].slice(0, 6))
  }
  return cues.size
}
