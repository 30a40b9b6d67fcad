import type { Alert } from '@stoa/shared/contracts/moderation.js'
import { html, type SafeHtml } from '../html.ts'
import { withQuery } from '../links.ts'
import { visibleText } from '../texts/visible-text.ts'
import { excerptText } from './excerpt.ts'
import { severityBadge } from './parts.ts'

type Finding = Alert['findings'][number]

/** The findings of the scanner, each with its words and all its places. */
export function findingList(found: readonly Finding[]): SafeHtml | null {
  if (found.length === 0) return null
  return html`<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
<ol class="findings">${alike(found).map(row)}</ol></section>`
}

/**
 * Groups findings that differ only in their place, as in a summary made of the body, or repeated
 * words.
 */
function alike(found: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>()
  for (const finding of found) {
    const { rule, rule_version, action, redacted_excerpt, decode_chain, context } = finding
    const key = JSON.stringify([
      rule,
      rule_version,
      action,
      redacted_excerpt,
      decode_chain,
      context,
    ])
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()]
}

function row(places: Finding[]): SafeHtml | null {
  const [finding] = places
  if (!finding) return null
  const { severity, rule, rule_version, action, redacted_excerpt: words, decode_chain } = finding
  const { decoded } = finding
  // If the words were decoded, the evidence already shows them as written, marked.
  const raw = decoded ? '' : words
  const score = Math.max(...places.map((place) => place.score))
  return html`<li>
<p class="summary-line">${severityBadge(severity)} ${ruleLink(rule)} <span class="weight">${action}, score ${score.toFixed(2)}</span></p>
<p>${finding.why}</p>
${raw ? html`<p class="evidence" lang="" dir="auto"><mark>${visibleText(raw)}</mark></p>` : null}
${decoded ? html`<p class="meta">The decoded text, untrusted too:</p>\n<pre class="evidence" tabindex="0" lang="">${excerptText(decoded)}</pre>` : null}
<p class="meta">${places.map(placeOf)}
<span>context: ${finding.context}</span>${
    decode_chain.length > 0 ? html` <span>decoded from ${decode_chain.join(' → ')}</span>` : null
  } <span>rule version ${rule_version}</span></p>
</li>`
}

/**
 * Links to all alerts of a rule: if it is mistaken once, it is mistaken in all that wait for it.
 */
function ruleLink(rule: string): SafeHtml {
  return html`<a href="${withQuery('/moderation', { rule })}"><code>${rule}</code></a>`
}

function placeOf({ field, start, end }: Finding): SafeHtml {
  return html`<span>in <code>${visibleText(field)}</code>, characters ${start} to ${end}</span> `
}
