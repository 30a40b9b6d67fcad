import { hash } from 'node:crypto'

/** Content codings of an answer; `identity` is its plain form. */
export type Coding = 'identity' | 'br' | 'gzip'

const SUFFIX: Record<Coding, string> = { identity: '', br: '-br', gzip: '-gz' }

/** `<version>-<hash>`, or `<hash>` for a thing without versions; without quotes. */
export function entityTag(bytes: Uint8Array, version?: number): string {
  const digest = hash('sha256', bytes, 'hex').slice(0, 20)
  return version === undefined ? digest : `${version}-${digest}`
}

/** A strong tag names exact bytes, so each coding has its own (RFC 9110, 8.8.3.3). */
export function quotedTag(tag: string, coding: Coding): string {
  return `"${tag}${SUFFIX[coding]}"`
}

const TAGS_MAX = 64

/**
 * Suffixes that proxies and servers such as Apache and Jetty append to the tag of what they
 * compress.
 */
const PROXY_SUFFIX = /^--?gzip$/

/**
 * Whether If-None-Match names this entity in any of its codings. Quotes may be missing: the tag is
 * still clear, and a client that lost them would pay for each whole answer without learning why.
 */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',', TAGS_MAX).some((part) => {
    const given = part
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1')
    if (!given.startsWith(tag)) return false
    const suffix = given.slice(tag.length)
    return Object.values(SUFFIX).includes(suffix) || PROXY_SUFFIX.test(suffix)
  })
}

/**
 * The version that If-Match asks for: full ETags or bare versions, quoted or not. Of several the
 * newest counts, because versions only grow, so no other can be current. Undefined for `*`, null if
 * the header holds no version of ours.
 */
export function versionFromIfMatch(header: string): number | undefined | null {
  if (header.trim() === '*') return undefined
  const versions = header.split(',', TAGS_MAX).flatMap((part) => {
    const match = /^(?:W\/)?"?([1-9]\d{0,8})(?:-[0-9a-z-]{1,40})?"?$/.exec(part.trim())
    return match ? [Number(match[1])] : []
  })
  return versions.length > 0 ? Math.max(...versions) : null
}
