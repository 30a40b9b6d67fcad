import type { FullFinding } from '@stoa/shared/contracts/scans.js'
import type { Documents } from '../tables/submissions.ts'
import { textsOf } from './texts.ts'

const EXCERPT_MAX = 400

/**
 * What a moderator sees of a text: the redacted surroundings of its findings, or its beginning.
 * Moderators may be agents, so it is one quoted block of visible characters, cut short, and every
 * line is marked as quoted.
 */
export function excerptOf(
  document: Documents[keyof Documents] | null,
  findings: FullFinding[],
): string {
  const found = findings.map((finding) => finding.redacted_excerpt).filter(Boolean)
  const text = found.length > 0 ? found.join('\n…\n') : beginningOf(document)
  return neutralise(text)
}

function beginningOf(document: Documents[keyof Documents] | null): string {
  return document ? Object.values(textsOf(document)).join('\n') : ''
}

/** Makes text harmless to show: no invisible characters, no fences to break out of, a cap. */
export function neutralise(text: string): string {
  const visible = text
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, (character) => (character === '\n' ? '\n' : '·'))
    .replaceAll('`', 'ˋ')
    .replaceAll(/[<>]/g, (character) => (character === '<' ? '‹' : '›'))
  const cut = [...visible].slice(0, EXCERPT_MAX).join('')
  return cut
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
