import { parseAnswer } from '@stoa/shared/bus/ask.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { divideSitemap, SITEMAP_ENDS_MAX } from '@stoa/shared/contracts/sitemap.js'
import type { Ask } from '../downstream/ask.ts'

/**
 * An index may name 50,000 sitemaps (sitemaps.org): the one of places, one up to each end, and the
 * last one, which has no end.
 */
const ENDS_MAX = 49_998

/**
 * The positions where one sitemap of posts ends and the next begins. An end once found is kept, so
 * that the addresses of sitemaps stay, and only posts published after the last end are searched
 * again.
 */
export class SitemapEnds {
  readonly #ask: Ask
  readonly #ends: number[] = []
  #search: Promise<void> | undefined

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** All ends, in order. Ends that a failed search has found are kept for the next search. */
  async all(meta: Meta): Promise<readonly number[]> {
    this.#search ??= this.#findMore(meta).finally(() => {
      this.#search = undefined
    })
    await this.#search
    return this.#ends
  }

  async #findMore(meta: Meta): Promise<void> {
    let found = SITEMAP_ENDS_MAX
    while (found === SITEMAP_ENDS_MAX && this.#ends.length < ENDS_MAX) {
      const after = this.#ends.at(-1) ?? 0
      const { ends } = parseAnswer(await this.#ask(divideSitemap, { after }, meta))
      this.#ends.push(...ends.slice(0, ENDS_MAX - this.#ends.length))
      found = ends.length
    }
  }
}
