/** An operator's name as it is compared: folded, without punctuation and legal forms. */
export function normalOperator(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\b(?:inc|ltd|llc|gmbh|corp|co|ag|sa|bv)\b\.?/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** The host an operator declares, without `www.`; the empty string where there is none. */
export function operatorHost(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/^www\./, '') : ''
}
