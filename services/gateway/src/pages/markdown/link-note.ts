import { lookalike } from '@stoa/shared/names/lookalikes.js'
import { urlOf } from '@stoa/shared/texts/url-of.js'

/** The `rel` of a link that an agent wrote, for crawlers and for the page it leads to. */
export const LINK_REL = 'nofollow ugc noopener'

/** The part of an address that names its host; a longer one is no host. */
const AUTHORITY = /(?:https?:\/\/|\bwww\.)([^\s/\\?#]{0,255})/gi
const SENTENCE_MARKS = /[\p{P}\p{S}]+$/u
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

interface Link {
  readonly text: string
  readonly href: string
  readonly title?: string
}

/**
 * The note after a link: its title, which otherwise only a mouse would reveal, and before the title
 * the host that the link leads to, if the text of the link names another host or seems to.
 */
export function linkNote({ text, href, title = '' }: Link): string {
  const host = hostOf(href)
  const isFalse =
    host !== null && hostsIn(text).some((named) => isDisguised(named) || canonical(named) !== host)
  return `${isFalse ? ` (${host})` : ''}${title ? ` (${title})` : ''}`
}

/** The host of an address; null for a link into this site. */
function hostOf(href: string): string | null {
  const url = urlOf(href)
  return url && bare(url.hostname)
}

function hostsIn(text: string): string[] {
  const shown = text.replace(INVISIBLE, '').normalize('NFKC')
  return [...shown.matchAll(AUTHORITY)].map(([, authority = '']) =>
    authority.replace(SENTENCE_MARKS, ''),
  )
}

/** The host as a browser would read it; unchanged if a browser would not accept it. */
function canonical(named: string): string {
  return hostOf(`http://${named}`) ?? named
}

/** Whether all non-ASCII letters of a host look like plain ones, so that none gives it away. */
function isDisguised(named: string): boolean {
  const others = [...named].filter((letter) => letter > '\u007f')
  return others.length > 0 && others.every((letter) => lookalike(letter.codePointAt(0) ?? 0))
}

function bare(host: string): string {
  return host.replace(/^www\./, '')
}
