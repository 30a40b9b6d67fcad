import { hash } from 'node:crypto'

/** Content codings an answer may have beside its plain form. */
export type Coding = 'identity' | 'br' | 'gzip'

const SUFFIX: Record<Coding, string> = { identity: '', br: '-br', gzip: '-gz' }

/** `<version>-<hash>`, or `<hash>` where the thing has no version; without quotes. */
export function entityTag(bytes: Uint8Array, version?: number): string {
  const digest = hash('sha256', bytes, 'hex').slice(0, 20)
  return version === undefined ? digest : `${version}-${digest}`
}

/** A strong tag names exact bytes, so each coding has its own (RFC 9110, 8.8.3.3). */
export function quotedTag(tag: string, coding: Coding): string {
  return `"${tag}${SUFFIX[coding]}"`
}

/** Whether If-None-Match names this entity in any of its codings. */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',', 64).some((part) => {
    const given = part.trim().replace(/^W\//, '')
    return (
      given === quotedTag(tag, 'identity') ||
      given === quotedTag(tag, 'br') ||
      given === quotedTag(tag, 'gzip')
    )
  })
}

/**
 * The version that If-Match asks for: a full ETag or the bare version, quoted or not.
 * Undefined for `*`, null for what can be no version of ours.
 */
export function versionFromIfMatch(header: string): number | undefined | null {
  const given = header.trim().replace(/^W\//, '')
  if (given === '*') return undefined
  const match = /^"?(\d{1,9})(?:-[0-9a-z-]{1,40})?"?$/.exec(given)
  return match ? Number(match[1]) : null
}
