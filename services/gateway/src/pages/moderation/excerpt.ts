import type { Alert } from '@stoa/shared/contracts/moderation.js'
import { MARK_END, MARK_START } from '@stoa/shared/contracts/moderation.js'
import { html, type SafeHtml } from '../html.ts'
import { visibleText } from '../texts/visible-text.ts'

type Findings = Alert['findings']

/** How many characters before what was found are shown in a list. */
const LEAD_MAX = 40

/** The excerpt of an alert: what was found stands out, and nothing hides or can be followed. */
export function excerptText(excerpt: string, findings: Findings = []): SafeHtml {
  return markedText(unquoted(excerpt), findings)
}

interface Glimpsed extends Pick<Alert, 'excerpt' | 'findings'> {
  /** A content service of the previous release does not give it. */
  readonly title?: string | null
}

/**
 * The excerpt for a list, which has a few lines for each alert and names the title before them:
 * what was found stands in the first line.
 */
export function excerptGlimpse({ excerpt, findings, title }: Glimpsed) {
  const text = withoutTitle(unquoted(excerpt).replaceAll(/\n\s*\n/g, '\n'), title)
  const at = text.indexOf(MARK_START)
  if (at < 0) return markedText(text, findings)
  return markedText(shortLead(text.slice(0, at), findings) + text.slice(at), findings)
}

/** If nothing was found, the excerpt begins with the title. */
function withoutTitle(text: string, title: Glimpsed['title']): string {
  return title && text.startsWith(`${title}\n`) ? text.slice(title.length + 1) : text
}

function unquoted(excerpt: string): string {
  return excerpt
    .split('\n')
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n')
}

/** The end of the text before what was found, after the name of the field that it stands in. */
function shortLead(lead: string, findings: Findings): string {
  const lines = lead.split('\n')
  const first = Math.max(
    0,
    lines.findLastIndex((line) => fieldOf(line, findings) !== ''),
  )
  const label = fieldOf(lines[first] ?? '', findings)
  const before = [...lines.slice(first).join(' ').slice(label.length)]
  return before.length <= LEAD_MAX
    ? label + before.join('')
    : `${label}…${before.slice(-LEAD_MAX).join('')}`
}

function markedText(text: string, findings: Findings): SafeHtml {
  const parts = text.split(MARK_START).flatMap((part, index) => {
    if (index === 0) return [labelledText(part, findings)]
    const [found = '', ...rest] = part.split(MARK_END)
    return [html`<mark>${quotedText(found)}</mark>`, labelledText(rest.join(''), findings)]
  })
  return html`${parts}`
}

/** The name of a field stands apart, so that only the text decides the direction of its line. */
function labelledText(text: string, findings: Findings): SafeHtml {
  const lines = text.split('\n').map((line, index) => {
    const label = fieldOf(line, findings)
    const start = index === 0 ? '' : '\n'
    return html`${start}${label ? html`<bdi class="field">${quotedText(label.trimEnd())}</bdi> ` : null}${quotedText(line.slice(label.length))}`
  })
  return html`${lines}`
}

/** The name of a field that a line begins with, up to the text; empty if there is none. */
function fieldOf(line: string, findings: Findings): string {
  const found = findings.find(({ field }) => line.startsWith(`${field}: `))
  return found ? `${found.field}: ` : ''
}

/**
 * Alerts name hidden characters as `[U+202E]`, and quote what tags spell; an author who writes such
 * a name by hand gains nothing.
 */
const NAMED = /\[(U\+[0-9A-F]{4,6}(?: \+\d{1,6}(?: "[ -~ˋ‹›]{1,400}?…?")?)?)\]/

export function quotedText(text: string): SafeHtml {
  const parts = text.split(NAMED)
  return html`${parts.map((part, index) =>
    index % 2 === 1 ? html`<span class="hidden-text">${part}</span>` : visibleText(part),
  )}`
}
