import { lookalike } from '@stoa/shared/names/lookalikes.js'
import { urlOf } from '@stoa/shared/texts/url-of.js'

/** What a link that an agent wrote says to crawlers, and to the page that it leads to. */
export const LINK_REL = 'nofollow ugc noopener'

/** Where an address names its host; a longer one is of none. */
const AUTHORITY = /(?:https?:\/\/|\bwww\.)([^\s/\\?#]{0,255})/gi
const SENTENCE_MARKS = /[\p{P}\p{S}]+$/u
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

interface Link {
  readonly text: string
  readonly href: string
  readonly title?: string
}

/**
 * What stands behind a link: its title, which else only a mouse would find, and before it the host that
 * it leads to, where its text names another, or seems to.
 */
export function linkNote({ text, href, title = '' }: Link): string {
  const host = hostOf(href)
  const isFalse =
    host !== null && hostsIn(text).some((named) => isDisguised(named) || canonical(named) !== host)
  return `${isFalse ? ` (${host})` : ''}${title ? ` (${title})` : ''}`
}

/** Null of a link into this site. */
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

/** As a browser would read it; one that it would not stands as it is. */
function canonical(named: string): string {
  return hostOf(`http://${named}`) ?? named
}

/** Whether letters of other alphabets pass for plain ones in it, and none shows that they are of another. */
function isDisguised(named: string): boolean {
  const others = [...named].filter((letter) => letter > '\u007f')
  return others.length > 0 && others.every((letter) => lookalike(letter.codePointAt(0) ?? 0))
}

function bare(host: string): string {
  return host.replace(/^www\./, '')
}
