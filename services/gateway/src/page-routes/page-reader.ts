import type { RawAnswer } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { RequestContract } from '@stoa/shared/contracts/contract.js'
import { divideSitemap } from '@stoa/shared/contracts/sitemap.js'
import type { Core } from '../core.ts'
import { type Exchange, metaFor } from '../http/exchange.ts'
import { parseInput } from '../http/input.ts'

type Raw = Record<string, unknown>
type Run = (core: Core, input: never, meta: Meta) => Promise<RawAnswer>

/** Reads what a page shows, the same way as the JSON API, and remembers what it depends on. */
export class PageReader {
  readonly tags = new Set<string>()
  readonly #core: Core
  readonly #exchange: Exchange

  constructor(core: Core, exchange: Exchange) {
    this.#core = core
    this.#exchange = exchange
  }

  /**
   * The answer as pages see it: `Shown` is the part of the contract's output that they read.
   * Parameters that mean nothing are dropped; bad ones are refused as in the API.
   */
  async read<Shown>(contract: RequestContract, raw: Raw, run?: Run): Promise<Shown> {
    const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined))
    const { input } = parseInput(contract, { place: 'query', values: given, path: {} })
    const meta = metaFor(this.#exchange, contract)
    const ask = run ?? ((core: Core, value: never) => core.ask(contract, value, meta))
    const answer = await ask(this.#core, input as never, meta)
    for (const tag of answer.meta.tags ?? []) this.tags.add(tag)
    return JSON.parse(Buffer.from(answer.json).toString()) as Shown
  }

  sitemapEnds(): Promise<readonly number[]> {
    return this.#core.sitemapEnds.all(metaFor(this.#exchange, divideSitemap))
  }
}
