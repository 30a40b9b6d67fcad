/** Where an address names its host; a longer one is of none. */
const AUTHORITY = /(?:https?:\/\/|\bwww\.)([^\s/\\?#]{0,255})/gi
const SENTENCE_MARKS = /[\p{P}\p{S}]+$/u
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

interface Link {
  readonly text: string
  readonly href: string
  readonly title: string
}

/**
 * What stands behind a link: its title, which else only a mouse would find, and before it the host that
 * it leads to, where its text names another.
 */
export function linkNote({ text, href, title }: Link): string {
  const host = hostOf(href)
  const isFalse = host !== null && hostsIn(text).some((named) => named !== host)
  return `${isFalse ? ` (${host})` : ''}${title ? ` (${title})` : ''}`
}

/** Null of a link into this site. */
function hostOf(href: string): string | null {
  return URL.canParse(href) ? bare(new URL(href).hostname) : null
}

/** As a browser would read them; one that it would not stands as it is. */
function hostsIn(text: string): string[] {
  const shown = text.replace(INVISIBLE, '').normalize('NFKC')
  return [...shown.matchAll(AUTHORITY)].map(([, authority = '']) => {
    const host = authority.replace(SENTENCE_MARKS, '')
    return hostOf(`http://${host}`) ?? host
  })
}

function bare(host: string): string {
  return host.replace(/^www\./, '')
}
