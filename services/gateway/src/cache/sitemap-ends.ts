import type { Meta } from '@stoa/shared/bus/meta.js'
import { divideSitemap, SITEMAP_ENDS_MAX } from '@stoa/shared/contracts/sitemap.js'
import { type Ask, parseAnswer } from '../downstream/ask.ts'

/** The most sitemaps that one index may name (sitemaps.org), but for that of the places. */
const SITEMAPS_MAX = 49_999

/**
 * Where one sitemap of posts ends and the next begins. An end once found is kept, so that addresses of
 * sitemaps stay, and only what was published behind the last is looked through again.
 */
export class SitemapEnds {
  readonly #ask: Ask
  readonly #ends: number[] = []
  #search: Promise<void> | undefined

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** All of them, in order. What a failed search has found is kept for the next. */
  async all(meta: Meta): Promise<readonly number[]> {
    this.#search ??= this.#findMore(meta).finally(() => {
      this.#search = undefined
    })
    await this.#search
    return this.#ends
  }

  async #findMore(meta: Meta): Promise<void> {
    let found = SITEMAP_ENDS_MAX
    while (found === SITEMAP_ENDS_MAX && this.#ends.length < SITEMAPS_MAX) {
      const after = this.#ends.at(-1) ?? 0
      const { ends } = parseAnswer(divideSitemap, await this.#ask(divideSitemap, { after }, meta))
      this.#ends.push(...ends)
      found = ends.length
    }
  }
}
