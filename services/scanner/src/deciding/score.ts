import type { Redaction } from '@stoa/shared/contracts/scans.js'
import { FINDINGS_MAX, type Verdict } from '@stoa/shared/contracts/verdicts.js'
import { CLUSTER_LENGTH, type Hit } from '../matching/hit.ts'
import type { FieldText } from '../reading/field.ts'
import type { CompiledPack, CompiledRules } from '../rules/compile-rules.ts'
import { type Category, type Finding, type ScanResult, VERDICTS, worst } from '../types.ts'
import { codePointOffsets } from './code-points.ts'
import { decodedAround, excerptAround } from './excerpt.ts'
import { nameToShow, redactionsOf } from './redactions.ts'

/** Beyond this number of hits, only the strongest of each group in each stretch are weighed. */
const HITS_MAX = 300
const THINNED_LENGTH = 100

/**
 * Weighs hits and returns the strictest verdict over all categories. Within a category, hits that
 * stand close together are independent witnesses: their scores combine by noisy-or over their
 * groups. Each hit also counts alone. A hit that changes nothing, alone or with others of its
 * category, is not a finding. `unread` are the fields that were not read to their end; `keys` are
 * the keys of `data`.
 */
export function decide(
  hits: readonly Hit[],
  unread: readonly FieldText[],
  rules: CompiledRules,
  keys: string,
): ScanResult {
  const kept = strongest(hits)
  const redactions = redactionsOf(liveSecrets(hits, rules), unread, keys)
  let verdict: Verdict = 'allow'
  const categories = new Set<Category>()
  const found: Acting[] = []
  for (const [category, pack] of rules.packs) {
    const mine = kept.filter((hit) => hit.rule.category === category)
    if (mine.length === 0) continue
    const together = clusterVerdict(mine, pack)
    verdict = worst(verdict, together.verdict)
    for (const hit of mine) {
      const action = actionOf(hit, pack)
      verdict = worst(verdict, action)
      const countsTogether = together.verdict !== 'allow' && together.members.has(hit)
      if (action === 'allow' && !countsTogether) continue
      categories.add(category)
      found.push({ hit, action })
    }
  }
  const findings = strictestFirst(found)
    .slice(0, FINDINGS_MAX)
    .map(({ hit, action }) => {
      const field = nameToShow(hit.field.name, redactions, unread)
      // A field that was not read to its end may hold a secret that no rule has found.
      const decoded = unread.length === 0 ? decodedAround(hit, redactions) : undefined
      const finding = toFinding(hit, action, field, redactions)
      return decoded === undefined ? finding : { ...finding, decoded }
    })
  return {
    verdict,
    pack: rules.version,
    categories: [...categories],
    findings,
    redactions,
    key_hashes: [],
  }
}

/** A hit and the verdict that it causes by itself. */
type Acting = { hit: Hit; action: Verdict }

function strictestFirst(found: readonly Acting[]): Acting[] {
  return found.toSorted(
    (a, b) => VERDICTS.indexOf(b.action) - VERDICTS.indexOf(a.action) || b.hit.score - a.hit.score,
  )
}

function actionOf(hit: Hit, pack: CompiledPack): Verdict {
  return limit(verdictOf(hit.score, pack), aloneCap(hit))
}

/** All secrets that act alone, even if left out of the verdict: each must be overwritten. */
function liveSecrets(hits: readonly Hit[], rules: CompiledRules): Hit[] {
  return hits.filter((hit) => {
    const pack = rules.packs.get(hit.rule.category)
    return hit.secret !== undefined && pack !== undefined && actionOf(hit, pack) !== 'allow'
  })
}

/** The strictest verdict of a hit alone; a single injection feature raises an alert at most. */
function aloneCap(hit: Hit): Verdict {
  return hit.rule.category === 'injection' ? limit('flag', hit.cap) : hit.cap
}

function verdictOf(score: number, pack: CompiledPack): Verdict {
  const { flag, quarantine, block } = pack.thresholds
  if (score >= block) return 'block'
  if (score >= quarantine) return 'quarantine'
  return score >= flag ? 'flag' : 'allow'
}

function limit(verdict: Verdict, cap: Verdict): Verdict {
  return VERDICTS.indexOf(verdict) <= VERDICTS.indexOf(cap) ? verdict : cap
}

/** The strictest verdict that hits close together in a field reach together, with those hits. */
function clusterVerdict(hits: readonly Hit[], pack: CompiledPack) {
  let best: { verdict: Verdict; score: number; members: Set<Hit> } = {
    verdict: 'allow',
    score: 0,
    members: new Set(),
  }
  for (const members of clusters(hits)) {
    const { score, corroborated, cap } = combine(members)
    const bound = pack.category === 'injection' && !corroborated ? limit('flag', cap) : cap
    const verdict = limit(verdictOf(score, pack), bound)
    if (score > best.score || worst(verdict, best.verdict) !== best.verdict) {
      best = { verdict: worst(verdict, best.verdict), score, members: new Set(members) }
    }
  }
  return best
}

/** For each hit, that hit and the later hits of its field that begin within CLUSTER_LENGTH. */
function clusters(hits: readonly Hit[]): Hit[][] {
  const byField = new Map<FieldText, Hit[]>()
  for (const hit of hits) {
    const known = byField.get(hit.field)
    if (known === undefined) byField.set(hit.field, [hit])
    else known.push(hit)
  }
  return [...byField.values()].flatMap((ofField) => {
    const sorted = ofField.sort((a, b) => a.start - b.start)
    return sorted.map((head, first) => {
      const end = sorted.findIndex(({ start }) => start > head.start + CLUSTER_LENGTH)
      return sorted.slice(first, end === -1 ? sorted.length : end)
    })
  })
}

function combine(members: readonly Hit[]) {
  const groups = new Map<string, Hit>()
  let cap: Verdict = 'allow'
  for (const hit of members) {
    if (hit.score > (groups.get(hit.rule.group)?.score ?? 0)) groups.set(hit.rule.group, hit)
    cap = worst(cap, hit.cap)
  }
  let miss = 1
  for (const hit of groups.values()) miss *= 1 - Math.min(0.999, hit.score)
  if (members.some((hit) => isFurther(hit, groups.get('demand')))) miss *= 1 - FURTHER_SCORE
  groups.delete('statistics')
  const corroborated = groups.size >= 2 && [...groups.keys()].some((group) => TELLING.has(group))
  return { score: 1 - miss, corroborated, cap }
}

/** The score that a second demand adds, because the words of two demands dilute one another. */
const FURTHER_SCORE = 0.25

/** Whether a hit is a demand that does not overlap the strongest demand. */
function isFurther({ rule, start, end }: Hit, first: Hit | undefined): boolean {
  if (first === undefined || rule.group !== 'demand') return false
  return end <= first.start || start >= first.end
}

/** Groups of injection features that hardly occur by chance; the others only support them. */
const TELLING: ReadonlySet<string> = new Set(['override', 'role', 'demand', 'conceal', 'persist'])

/** The strongest hit for each rule and place, so that a secret in three views counts once. */
function strongest(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, Hit>()
  for (const hit of hits) {
    const place = `${hit.rule.id}\n${hit.field.name}\n${hit.start}`
    const other = best.get(place)
    if (other === undefined || hit.score > other.score) best.set(place, hit)
  }
  const sorted = [...best.values()].sort((a, b) => b.score - a.score)
  return sorted.length <= HITS_MAX ? sorted : thinned(sorted)
}

/** The strongest hit of each group in each stretch, so that no hit is lost to hits far from it. */
function thinned(sorted: readonly Hit[]): Hit[] {
  const first = new Map<string, Hit>()
  for (const hit of sorted) {
    const stretch = Math.floor(hit.start / THINNED_LENGTH)
    const place = `${hit.rule.category}\n${hit.rule.group}\n${hit.field.name}\n${stretch}`
    if (!first.has(place)) first.set(place, hit)
  }
  return [...first.values()]
}

function toFinding(
  hit: Hit,
  action: Verdict,
  field: string,
  redactions: readonly Redaction[],
): Finding {
  const [start, end] = codePointOffsets(hit.field.raw, hit.start, hit.end)
  return {
    rule: hit.rule.id,
    rule_version: hit.rule.version,
    category: hit.rule.category,
    severity: hit.rule.severity,
    action,
    field,
    start,
    end,
    redacted_excerpt: excerptAround(hit, redactions),
    decode_chain: [...hit.chain],
    why: hit.rule.why,
    fix: hit.rule.fix,
    context: hit.context,
    score: Math.round(hit.score * 1000) / 1000,
  }
}
