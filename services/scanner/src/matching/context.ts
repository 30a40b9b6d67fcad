import { MARK } from '../markdown/markdown-marks.ts'
import { type FieldText, quotedShare } from '../reading/field.ts'
import { isHidden, type Layer, originOf } from '../reading/layer.ts'
import type { Context } from '../types.ts'

const NEIGHBOURHOOD = 320
const CUES_MIN = 2
/** A frame suggests by itself that the words are someone else's, so fewer cues suffice. */
const FRAMED_CUES_MIN = 1
const FRAME = MARK.code | MARK.quote | MARK.spoken
/** No page shows this text, so its words say nothing about the text that a page shows. */
const UNSHOWN = MARK.comment | MARK.info
const QUOTED_SHARE_MAX = 0.85
const COMMENT_WORDS_MIN = 6
const QUOTED_SHARE_MIN = 0.15
const WORD = /[\p{L}\p{N}]{2,}/gu

/** Words by which a writer talks about an attack instead of making it. */
const CUE =
  /\b(?:attack(?:s|er|ers|ed)?|payloads?|examples? of|for example|for instance|e\.g\.|such as|detect(?:s|ed|ion|or|ors|ing)?|malicious|suspicious|cve-\d+|do not (?:run|execute|follow|paste)|don't (?:run|execute|follow|paste)|never (?:run|execute|paste|follow)|injection|injected|exploit(?:s|ed)?|phishing|scam|vulnerab\w+|adversarial|jailbreaks?|jailbroken|malware|teardown|indicators?|hxxps?|mitigat\w+|saniti[sz]\w+|bug report|reported|observed|we saw|i saw|(?:we|i|they|he|she) (?:found|caught|discovered|spotted)|found (?:this|that|it|a|an|in)|leaked|leakage|leak rate|impersonated|n?ever asks?|no (?:real|legitimate|genuine)|(?:nobody|no one) (?:ran|followed|obeyed)|classifiers?|noticed|contained|embedded|planted|looks like|technique|defen[cs]es?|defend|prevent\w*|blocked|blocks|filter(?:s|ed)?|flagged|quarantine[ds]?|incident|postmortem|write-?up|analysis|analy[sz]ed?|red.?team\w*|threat|warning|beware|avoid|instead of|dangerous|unsafe|risky|anti-?pattern|victims?|clickfix|test case|fixture|attempt(?:s|ed)?|untrusted|sample|shown here|lesson|tricked|coaxed|guardrails?|\d+ (?:out )?of \d+ (?:runs|tries|times|cases|agents|models|bots|did)|c[ao]me across|(?:has|have|did) (?:anyone|anybody|others?|you)|anyone else|going around|circulat\w+|what do you (?:make|think)|how (?:do|does|would|should) (?:you|your|others|we) (?:\w{1,16} ){0,3}?(?:handle|treat|react|respond|deal with)|(?:my|our) (?:[\w'’-]{1,20} ){0,2}(?:instructions?|prompt|rules?|policy) (?:says?|said)|sent (?:our|us|me|my|by)|received|logged|captured|someone (?:posted|wrote|sent|pasted)|spam|fake|refuse[sd]?|stopped|honeypot|suspect|the (?:page|file|issue|readme|comment|document|e?mail|repo|article) (?:said|says|contained|contains|read|had)|repro|bug|summari[sz]er|tried to comply|reproduce|repro|steps to|expected|actual)\b/g

/** The most common of these words in other languages, mostly without boundaries that `\b` sees. */
const CUE_ELSEWHERE =
  /wie (?:geh|reagier|behandel|verhinder)(?:t|n|en) (?:ihr|sie|eure|deine)|c[oó]mo (?:manej|trat|evit|reaccion|lidam)|comment (?:traitez|g[eé]rez|[eé]vitez|r[eé]agissez)|come (?:gestite|trattate|evitate)|как (?:вы|у вас) (?:обрабатыва|реагиру|защища|поступа)|如何(?:处理|应对|防)|怎么(?:处理|应对|防)|どう(?:やって)?(?:扱|対処|防)|어떻게 (?:처리|대응|막|다루)|كيف (?:تتعامل|تعالج|تمنع)|angriff|zum beispiel|getestet|blockiert|ataque|ejemplo|exemplo|probamos|testamos|bloque[aó]|inyecci[oó]n|inje[cç][aã]o|attaque|par exemple|avons testé|bloqué|attacco|esempio|iniezione|abbiamo testato|atak|przykład|zablokow|saldırı|örnek|атак|пример|провер|фильтр|инъекци|отклон|测试|攻击|注入|例如|检测|过滤|拦截|攻撃|例えば|テスト|検出|インジェクション|공격|테스트|예를 들|탐지|차단|인젝션|هجوم|حقن|مثال|اختبر|हमल|परीक्षण|उदाहरण|इंजेक्शन|enthielt|vorfall|abgelehnt|verweigert|contenait|refusé|conten[ií]a|incidente|se neg[oó]|rechaz[oó]|continha|recusou|conteneva|rifiutat|zawiera[łl]|incydent|odm[oó]wi[łl]|содержал|инцидент|ответил[аи]? отказ|отказал|包含|拒绝了|という文|拒否し|라는 문장|거부했|رفض|حادث|वाक्य|मना कर दिया/g

/** Words that turn a quotation into an order. */
const ORDER =
  /\b(?:(?:now |please |must |should |then |and )(?:run|execute|follow|obey|apply|paste|do)(?: (?:it|this|that|these|them|the above|the following|the quoted|the command|the instructions?|what it says|as it says|exactly))|(?:follow|obey|execute|carry out) (?:the )?(?:instructions?|commands?|orders?|text|quote|block)(?: (?:above|below|quoted))?|do (?:exactly )?what (?:it|the (?:quote|block|text)) says|(?:please|must|shall|should|now|required to|expected to|obliged to|have to|need to) (?:comply with|act (?:up)?on|adhere to|abide by|heed) (?:it|this|these|that|them|the (?:above|following|quoted|quote|block|text|lines?|orders?|instructions?|notes?|message|e?mail|comment)\b)|treat (?:it|this|the (?:quote|block)) as (?:your|an?) (?:instruction|order|system))\b/

/** Words right before a frame that order the reader to run its content. */
const ORDER_BEFORE =
  /(?:(?:^|[-*.!?:,;\n]) ?|\b(?:must|should|shall|has to|have to|needs? to|required to|please|now|then|and) (?:(?:now|first|only|simply|just) )?)(?:run|execute|follow|obey|paste|enter|type)(?: (?:this|it|the (?:following )?(?:command|line|script)))?[\s:"'(>]{0,4}$/i
const ORDER_REACH = 60

/**
 * `ordered`: the writer's own words order the reader to act on a quotation. `bareQuote`: nearly all
 * of the field is quotation or code, and the writer adds no comment.
 */
type FieldStance = { ordered: boolean; bareQuote: boolean }

function stanceOf(field: FieldText): FieldStance {
  const known = stances.get(field)
  if (known !== undefined) return known
  const stance = readStance(field)
  stances.set(field, stance)
  return stance
}

/** A stance is read on demand and kept, because most fields have no hit that needs one. */
const stances = new WeakMap<FieldText, FieldStance>()

function readStance(field: FieldText): FieldStance {
  const own = ownWords(field)
  return {
    ordered: ORDER.test(own.toLowerCase()),
    bareQuote: !isComment(own) && quotedShare(field) > QUOTED_SHARE_MAX,
  }
}

function isComment(own: string): boolean {
  let words = 0
  for (const _ of own.matchAll(WORD)) if (++words === COMMENT_WORDS_MIN) return true
  return false
}

function ownWords(field: FieldText): string {
  let own = ''
  let start = 0
  const foreign = FRAME | UNSHOWN
  for (let index = 0; index <= field.raw.length; index++) {
    const inOwn = index < field.raw.length && ((field.marks[index] ?? 0) & foreign) === 0
    if (inOwn) continue
    if (index > start) own += ` ${field.raw.slice(start, index)}`
    start = index + 1
  }
  return own
}

/** The context of a range, and whether the writer's own words around it discuss it. */
type Light = { context: Context; discussed: boolean }

/** The light on a range of a layer; earlier checks take precedence over later ones. */
export function lightOn(field: FieldText, layer: Layer, range: readonly [number, number]): Light {
  const stance = stanceOf(field)
  const [start, end] = originOf(layer, range[0], range[1])
  const marks = marksAt(field, start, end)
  const framed = (marks & FRAME) !== 0
  const excusable = !stance.ordered && !stance.bareQuote
  const cues = excusable ? cuesAround(field, start, end, framed) : 0
  const ordered = framed && excusable && isOrdered(field, start)
  const discussed =
    cues >= (framed && !ordered ? FRAMED_CUES_MIN : CUES_MIN) ||
    (excusable && !framed && discussesWhatItQuotes(field, start, end))
  if (layer.chain.includes('invisible')) return { context: 'hidden', discussed: false }
  const veiled = (marks & MARK.comment) !== 0 || isHidden(layer, range[0], range[1])
  // A disguised sample that is framed and discussed hides nothing from the reader.
  if (veiled && !(framed && discussed)) return { context: 'hidden', discussed: false }
  // Text that the reader is ordered to run counts as the writer's own words, however it is framed.
  if (!excusable || (ordered && cues === 0)) return { context: 'prose', discussed: false }
  if ((marks & MARK.quote) !== 0) {
    return { context: discussed || isIntroduced(field, start) ? 'quote' : 'bare_quote', discussed }
  }
  if ((marks & MARK.code) !== 0) return { context: 'code', discussed }
  if ((marks & MARK.spoken) !== 0 && discussed) return { context: 'quote', discussed }
  return { context: discussed ? 'about' : 'prose', discussed }
}

/** Whether an order stands right before the frame around a place. */
function isOrdered(field: FieldText, at: number): boolean {
  const first = framesOf(field).starts[at] ?? at
  return ORDER_BEFORE.test(field.raw.slice(Math.max(0, first - ORDER_REACH), first))
}

/** A sentence that leads up to a quotation, or one that asks about it. */
const INTRODUCTION = /[:,?\u2026\uff1a]["*_)\]]{0,3}\s{0,4}$/
/** Words that call for attention or add force, but say nothing about the quotation after them. */
const CALL_WORDS: ReadonlySet<string> = new Set(
  (
    'please kindly note notice attention important reminder remember read this now first carefully ' +
    'urgent announcement fyi nb ps to for all every everyone reader readers agent agents ai you must ' +
    'the of on our your here new house forum board rule rules order orders policy task is are'
  ).split(' '),
)
/** A sentence that answers the quotation before it, speaks of it, or goes on from it. */
const REFERENCE =
  /^\s{0,4}(?:[a-z(]|(?:Yes|No|O[Kk]|Okay|Sure|Agreed|Done|Thanks|Thank you|I (?:did|do|have|had|would|agree|disagree|tried|read|saw|think)|[Tt]hat|[Tt]his|[Tt]hese|[Tt]hose|[Ii]t|[Tt]hey|[Tt]he (?:above|quoted?|line|lines|sentence|text|words|wording|phrase|rest|first|second|last|author|writer|page|message|mail|comment))\b)/
const REFERENCE_REACH = 40
const AFFIRMATION_REACH = 120

/** A sentence that gives force to the quotation before it. */
const AFFIRMATION =
  /^\s{0,4}(?:(?:that|this|it)(?:['’]s)?|th[eo]se|they(?:['’]re)?|the above)(?: (?!not\b|no\b|never\b|\w{1,9}n't\b)[\w']{1,20}){0,5} (?:rules?|orders?|law|policy|binding|mandatory|obligatory|in force|your (?:task|job|duty)|appl(?:y|ies)|holds? (?:for|here|now)|how (?:we|this|the|our)(?: \w{1,20})? works?)\b/i

/** Whether the words before or after the frame around a place tie it to the writer's own. */
function isIntroduced(field: FieldText, at: number): boolean {
  const { starts, ends } = framesOf(field)
  const first = starts[at] ?? at
  const last = ends[at] ?? at
  const before = field.raw.slice(Math.max(0, first - REFERENCE_REACH), first)
  const behind = field.raw.slice(last, last + AFFIRMATION_REACH)
  return (
    (INTRODUCTION.test(before) && !isCall(before)) ||
    (REFERENCE.test(behind) && !AFFIRMATION.test(behind))
  )
}

/** Whether the last line only calls for attention: "Please note:". */
function isCall(before: string): boolean {
  const line = before.trimEnd().split('\n').at(-1) ?? ''
  const words = line.toLowerCase().match(WORD) ?? []
  return words.length > 0 && words.every((word) => CALL_WORDS.has(word))
}

type Multipliers = { [context in Context]?: number | undefined }

/** The factor for a score in a light; a frame and a discussion together excuse more than either. */
export function multiplierIn(light: Light, contexts: Multipliers): number {
  const bare = light.context === 'bare_quote' ? contexts.quote : undefined
  const base = contexts[light.context] ?? bare ?? 1
  const framed = light.context === 'quote' || light.context === 'code'
  return framed && light.discussed ? base * (contexts.about ?? 1) : base
}

const MARK_SAMPLES = 16
const LONG_RANGE = 160
const MARK_SHARE_MIN = 0.6

/** The marks of a range: of a short one those at both ends, of a long one those over most of it. */
function marksAt(field: FieldText, start: number, end: number): number {
  const ends = (field.marks[start] ?? 0) & (field.marks[Math.max(start, end - 1)] ?? 0)
  if (end - start < LONG_RANGE) return ends
  let marks = 0
  for (const bit of Object.values(MARK)) {
    let seen = 0
    for (let sample = 0; sample < MARK_SAMPLES; sample++) {
      const at = start + Math.floor(((end - start - 1) * sample) / (MARK_SAMPLES - 1))
      if (((field.marks[at] ?? 0) & bit) !== 0) seen++
    }
    if (seen >= MARK_SAMPLES * MARK_SHARE_MIN) marks |= bit
  }
  return marks
}

/** Counts different cues, up to CUES_MIN, on either side of a range, or of the frame around it. */
function cuesAround(field: FieldText, start: number, end: number, framed: boolean): number {
  let first = start
  let last = end
  if (framed) {
    // A long range may begin or end in the writer's own words, and the cues stand in these.
    while (first < last && !isMarked(field, first)) first++
    while (last > first && !isMarked(field, last - 1)) last--
    const { starts, ends } = framesOf(field)
    first = starts[first] ?? first
    last = ends[last] ?? last
  }
  return countCues(field, first, last)
}

/** Whether a stretch is quoted in part and its own words, inside it, discuss the quotation. */
function discussesWhatItQuotes(field: FieldText, start: number, end: number): boolean {
  // In a longer stretch, the words that discuss a quotation may stand far from it.
  if (end - start > NEIGHBOURHOOD) return false
  let own = ''
  let quoted = 0
  for (let at = start; at < end; at++) {
    const isQuoted = isMarked(field, at)
    if (isQuoted) quoted++
    own += isQuoted ? ' ' : (field.raw[at] ?? '')
  }
  return quoted >= (end - start) * QUOTED_SHARE_MIN && readCues(own, 0, 0) >= CUES_MIN
}

/** For each place, the start and end of the frame that reaches it, computed once for all hits. */
type Frames = { starts: Int32Array; ends: Int32Array }

const frames = new WeakMap<FieldText, Frames>()

function framesOf(field: FieldText): Frames {
  const known = frames.get(field)
  if (known !== undefined) return known
  const { length } = field.raw
  const starts = new Int32Array(length + 1)
  const ends = new Int32Array(length + 1)
  for (let at = 1; at <= length; at++) {
    starts[at] = isFrame(field, at - 1) ? (starts[at - 1] ?? 0) : at
  }
  ends[length] = length
  for (let at = length - 1; at >= 0; at--) ends[at] = isFrame(field, at) ? (ends[at + 1] ?? at) : at
  const found: Frames = { starts, ends }
  frames.set(field, found)
  return found
}

/** Cue counts by the range that they surround, because hits in one frame share a range. */
const counted = new WeakMap<FieldText, Map<number, number>>()

function countCues(field: FieldText, first: number, last: number): number {
  const key = first * (field.raw.length + 1) + last
  const ofField = counted.get(field) ?? new Map<number, number>()
  counted.set(field, ofField)
  const cues = ofField.get(key) ?? readCues(shownText(field), first, last)
  ofField.set(key, cues)
  return cues
}

const shownTexts = new WeakMap<FieldText, string>()

/** The text of a field, with blanks for characters that no page shows. */
function shownText(field: FieldText): string {
  const known = shownTexts.get(field)
  if (known !== undefined) return known
  let shown = ''
  let done = 0
  for (let at = 0; at < field.raw.length; at++) {
    if (!isUnshown(field, at)) continue
    shown += `${field.raw.slice(done, at)} `
    done = at + 1
  }
  shown += field.raw.slice(done)
  shownTexts.set(field, shown)
  return shown
}

function readCues(raw: string, first: number, last: number): number {
  const cues = new Set<string>()
  const before = raw.slice(Math.max(0, first - NEIGHBOURHOOD), first)
  const after = raw.slice(last, last + NEIGHBOURHOOD)
  for (const side of [before, after]) {
    const lower = side.toLowerCase()
    for (const pattern of [CUE, CUE_ELSEWHERE]) {
      for (const match of lower.matchAll(pattern)) {
        if (cues.add(match[0].slice(0, 6)).size === CUES_MIN) return CUES_MIN
      }
    }
  }
  return cues.size
}

function isFrame(field: FieldText, index: number): boolean {
  const code = field.raw.charCodeAt(index)
  const isInfo = ((field.marks[index] ?? 0) & MARK.info) !== 0
  return isMarked(field, index) || isInfo || code === 10 || code === 62
}

function isMarked(field: FieldText, index: number): boolean {
  return ((field.marks[index] ?? 0) & FRAME) !== 0
}

function isUnshown(field: FieldText, index: number): boolean {
  return ((field.marks[index] ?? 0) & UNSHOWN) !== 0
}
