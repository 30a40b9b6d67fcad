import { MARK_END, MARK_START } from '@stoa/shared/contracts/moderation.js'
import type { FullFinding, Redaction } from '@stoa/shared/contracts/scans.js'
import { dropsData, redactor } from './redact.ts'

/** Code points shown on either side of a finding. */
const CONTEXT = 120
const MATCH_MAX = 200
const WINDOWS_MAX = 4
const MASK = '█'
const MARKS = new RegExp(`[${MARK_START}${MARK_END}]`, 'g')

/**
 * The texts with every secret and each of its repetitions blotted out, code point by code point, so
 * that offsets of findings still hold.
 */
export function maskSecrets(
  texts: Record<string, string>,
  redactions: readonly Redaction[],
): Record<string, string> {
  const mask = redactor(texts, redactions, blot)
  // A document whose keys hold a secret has lost all of its `data`.
  const hidden = dropsData(redactions)
  const shown = Object.entries(texts).filter(([field]) => !(hidden && field.startsWith('data.')))
  return Object.fromEntries(shown.map(([field, text]) => [field, mask(field, text)]))
}

function blot(secret: string): string {
  return MASK.repeat([...secret].length)
}

/**
 * The text around each finding, with the finding between marks. Findings near one another share a
 * window, and a window that another window repeats is left out: a summary mostly repeats the body.
 */
export function surroundingsOf(
  texts: Record<string, string>,
  findings: readonly FullFinding[],
): string[] {
  const windows: Window[] = []
  for (const field of new Set(findings.map((finding) => finding.field))) {
    const text = texts[field]
    if (!text) continue
    const points = [...withoutMarks(text)]
    const found = findings.filter((finding) => finding.field === field)
    for (const near of clusters(found)) windows.push({ field, text: windowOf(points, near) })
  }
  return windows
    .filter((window, index) => !isRepeated(windows, window, index))
    .slice(0, WINDOWS_MAX)
    .map(({ field, text }) => `${field}: ${text}`)
}

interface Window {
  field: string
  text: string
}

/** Of two windows that show the same text, the first stays. */
function isRepeated(windows: readonly Window[], window: Window, index: number): boolean {
  return windows.some((other, at) => {
    if (at === index || !shows(other, window)) return false
    return at < index || !shows(window, other)
  })
}

function shows(window: Window, { text }: Window): boolean {
  return window.text.includes(text.replace(/^…|…$/g, ''))
}

/** Groups the findings of one field, in the order of the text, if their windows would meet. */
function clusters(findings: readonly FullFinding[]): FullFinding[][] {
  const groups: FullFinding[][] = []
  let reach = Number.NEGATIVE_INFINITY
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (finding.start <= reach) groups.at(-1)?.push(finding)
    else groups.push([finding])
    reach = Math.max(reach, finding.end + CONTEXT)
  }
  return groups
}

function windowOf(points: readonly string[], near: readonly FullFinding[]): string {
  const from = Math.max(0, (near[0]?.start ?? 0) - CONTEXT)
  let at = from
  let text = from > 0 ? '…' : ''
  for (const { start, end } of near) {
    if (end <= at) continue
    const found = points.slice(Math.max(start, at), end)
    const shown = found.length > MATCH_MAX ? [...found.slice(0, MATCH_MAX), '…'] : found
    text += `${points.slice(at, start).join('')}${MARK_START}${shown.join('')}${MARK_END}`
    at = end
  }
  const until = at + CONTEXT
  return `${text}${points.slice(at, until).join('')}${until < points.length ? '…' : ''}`
}

/** Replaces marks written by the author, because a mark says that something was found. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARKS, "'")
}
