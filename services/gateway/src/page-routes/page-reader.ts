import { parseAnswer, type RawAnswer } from '@stoa/shared/bus/ask.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { OutputOf, RequestContract } from '@stoa/shared/contracts/contract.js'
import { divideSitemap } from '@stoa/shared/contracts/sitemap.js'
import type { Core } from '../core.ts'
import { type Exchange, metaFor } from '../http/exchange.ts'
import { parseInput } from '../http/input.ts'

type Raw = Record<string, unknown>
type Run = (core: Core, input: never, meta: Meta) => Promise<RawAnswer>

/** Reads what a page shows, the same way as the JSON API, and remembers the tags it depends on. */
export class PageReader {
  readonly tags = new Set<string>()
  readonly #core: Core
  readonly #exchange: Exchange

  constructor(core: Core, exchange: Exchange) {
    this.#core = core
    this.#exchange = exchange
  }

  /** Unknown parameters are dropped; bad ones are refused as in the API. */
  async read<C extends RequestContract>(contract: C, raw: Raw, run?: Run): Promise<OutputOf<C>> {
    const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined))
    const { input } = parseInput(contract, { place: 'query', values: given, path: {} })
    const meta = metaFor(this.#exchange, contract)
    const ask = run ?? ((core: Core, value: never) => core.ask(contract, value, meta))
    const answer = await ask(this.#core, input as never, meta)
    for (const tag of answer.meta.tags ?? []) this.tags.add(tag)
    // Honest for `run` too, which answers as the contract says.
    return parseAnswer(answer as RawAnswer<OutputOf<C>>)
  }

  sitemapEnds(): Promise<readonly number[]> {
    return this.#core.sitemapEnds.all(metaFor(this.#exchange, divideSitemap))
  }
}
