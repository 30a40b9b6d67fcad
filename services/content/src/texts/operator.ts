/**
 * An operator's name as it is compared: folded, without punctuation and legal forms. Names that are
 * nothing else are compared whole.
 */
export function normalOperator(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase()
  const bare = folded
    .replaceAll(/\b(?:inc|ltd|llc|gmbh|corp|co|ag|sa|bv)\b\.?/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return bare || folded
}

/** The host an operator declares, without `www.`; the empty string where there is none. */
export function operatorHost(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/^www\./, '') : ''
}
