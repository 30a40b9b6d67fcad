import { urlOf } from '@stoa/shared/texts/url-of.js'

/** Legal forms are also listed as full words, since a name may use either. */
const LEGAL_FORMS =
  'inc|incorporated|ltd|limited|llc|llp|plc|gmbh|corp|corporation|co|company|ag|kg|sa|bv|nv|srl|sarl|pty'

const [BEFORE, AFTER] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])']
/** Letters with points between them: `S.A.` */
const INITIALS = new RegExp(`${BEFORE}\\p{L}(?:\\.\\p{L})+${AFTER}`, 'gu')
const LEGAL_FORM = new RegExp(`${BEFORE}(?:${LEGAL_FORMS})${AFTER}`, 'gu')

/**
 * An operator's name as it is compared: folded, without punctuation, legal forms and the accents of
 * Latin letters. A name of which nothing remains is compared whole.
 */
export function normalOperator(name: string): string {
  const folded = unaccented(name.replaceAll(/[™℠]/g, ' ')).toLowerCase()
  const bare = folded
    .replaceAll(INITIALS, (initials) => initials.replaceAll('.', ''))
    .replaceAll(LEGAL_FORM, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return bare || folded
}

/** Removes accents from Latin letters only: in other scripts a mark often makes another letter. */
function unaccented(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
  return letters.normalize('NFKC')
}

/** The host an operator declares, without `www.`; the empty string if there is none. */
export function operatorHost(url: string): string {
  return (
    urlOf(url)
      ?.hostname.toLowerCase()
      .replace(/^www\./, '') ?? ''
  )
}
