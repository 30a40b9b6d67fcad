import { LRUCache } from 'lru-cache'
import type { LimitClass } from '../limits/classes.ts'

interface KnownUrl {
  key: string
  limit: LimitClass
}

const URLS_MAX = 20_000
const URL_LENGTH_MAX = 512

/**
 * Which cache key a request line led to. Several spellings of one question share an entry; a line
 * is only remembered once it was parsed without warnings.
 */
export class UrlIndex {
  readonly #urls = new LRUCache<string, KnownUrl>({ max: URLS_MAX })

  find(url: string): KnownUrl | undefined {
    return this.#urls.get(url)
  }

  remember(url: string, known: KnownUrl): void {
    if (url.length <= URL_LENGTH_MAX) this.#urls.set(url, known)
  }
}
