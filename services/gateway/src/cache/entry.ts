import { InFlight, joinOrStart } from '@stoa/shared/process/in-flight.js'
import { COMPRESSIBLE_BYTES_MIN, compress } from '../http/coding.ts'
import { type Coding, entityTag, quotedTag } from '../http/etag.ts'
import { EVERY_RESPONSE, PUBLIC_CACHE, VARY } from '../http/exchange.ts'

/** A public answer as the service that owns its content gave it. */
export interface Loaded {
  body: Buffer
  /**
   * Differs whenever the body does; the entity tag is made of it, or of the body if it is absent.
   */
  fingerprint?: Uint8Array | undefined
  contentType: string
  tags: readonly string[]
  version?: number
  /** Further headers, as name, value, name, value. */
  headers?: readonly string[]
  /** False for an answer that must not be kept, such as one with warnings. */
  isKept?: boolean
  status?: number
  /** Cache-Control for requests without a caller; if absent, clients must ask again each time. */
  cacheControl?: string | undefined
}

export type Load = () => Promise<Loaded>

/** One coding of an answer with everything about its headers that is the same for every request. */
export interface Variant {
  body: Buffer
  etag: string
  head: readonly string[]
  notModifiedHead: readonly string[]
}

/**
 * By how many bytes the codings together may exceed the text: two codings of a short text take a
 * little more than the text, of a long one less.
 */
const CODED_EXCESS_MAX = 512

/** A public answer that can be sent any number of times; each coding is compressed on first use. */
export class Entry {
  readonly tags: readonly string[]
  readonly tag: string
  readonly status: number
  readonly cacheControl: string
  readonly plain: Variant
  readonly #contentType: string
  readonly #headers: readonly string[]
  /**
   * Codings already compressed, and those in progress; most answers are sent once and need none.
   */
  #coded: Map<Coding, Variant> | undefined
  #coding: InFlight<Promise<Variant>> | undefined

  constructor(loaded: Loaded) {
    this.tags = loaded.tags
    this.tag = entityTag(loaded.fingerprint ?? loaded.body, loaded.version)
    this.status = loaded.status ?? 200
    this.cacheControl = loaded.cacheControl ?? PUBLIC_CACHE
    this.#contentType = loaded.contentType
    this.#headers = loaded.headers ?? []
    this.plain = this.#variant(loaded.body, 'identity')
  }

  /**
   * The most bytes this entry may hold: the plain form, as much again for codings, and overhead.
   */
  get bytesMax(): number {
    return this.plain.body.length * 2 + 4_096
  }

  /** The variant, if it has been made. */
  ready(coding: Coding): Variant | undefined {
    if (coding === 'identity' || this.plain.body.length < COMPRESSIBLE_BYTES_MIN) return this.plain
    return this.#coded?.get(coding)
  }

  /** The variant, which is made if it has not been yet. */
  async make(coding: Coding): Promise<Variant> {
    const ready = this.ready(coding)
    if (ready || coding === 'identity') return ready ?? this.plain
    this.#coding ??= new InFlight()
    return joinOrStart(this.#coding, coding, () => this.#make(coding))
  }

  /** Takes over what was compressed for an older entry with the same bytes. */
  inherit(older: Entry): void {
    if (older.tag !== this.tag) return
    for (const [coding, variant] of older.#coded ?? []) {
      this.#keep(coding, variant === older.plain ? this.plain : variant)
    }
  }

  /**
   * Compresses if that saves bytes and there is room; a second coding has none if both shrink
   * little.
   */
  async #make(coding: 'br' | 'gzip'): Promise<Variant> {
    const body = await compress(this.plain.body, coding)
    const isSmaller = body.length < this.plain.body.length
    const hasRoom = this.#codedBytes() + body.length <= this.plain.body.length + CODED_EXCESS_MAX
    const variant = isSmaller && hasRoom ? this.#variant(body, coding) : this.plain
    this.#keep(coding, variant)
    return variant
  }

  #codedBytes(): number {
    const coded = [...(this.#coded?.values() ?? [])].filter((variant) => variant !== this.plain)
    return coded.reduce((bytes, { body }) => bytes + body.length, 0)
  }

  #keep(coding: Coding, variant: Variant): void {
    this.#coded ??= new Map()
    this.#coded.set(coding, variant)
  }

  #variant(body: Buffer, coding: Coding): Variant {
    const etag = quotedTag(this.tag, coding)
    const both = ['ETag', etag, 'Vary', VARY, ...EVERY_RESPONSE, ...this.#headers]
    const head = ['Content-Type', this.#contentType, 'Content-Length', String(body.length), ...both]
    if (coding !== 'identity') head.push('Content-Encoding', coding)
    return { body, etag, head, notModifiedHead: both }
  }
}
