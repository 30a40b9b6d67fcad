import type { Meta } from '@stoa/shared/bus/meta.js'
import { readPostTexts, type TextPlace } from '@stoa/shared/contracts/post-texts.js'
import { LRUCache } from 'lru-cache'
import type { Ask } from '../downstream/ask.ts'

/** The text of one version as it stands in an answer. */
export interface PostText {
  bytes: Uint8Array
  /** The digest of the bytes, so that an answer made of texts need not be hashed whole. */
  digest: string
}

/**
 * Texts of versions by their digests, because content answers feeds without them. Whether a text
 * may be shown is decided by the answer that names it, which is never kept here.
 */
export class PostTexts {
  readonly #kept: LRUCache<string, PostText>
  readonly #ask: Ask

  /** Keeps texts of up to `bytesMax` bytes in all. */
  constructor(ask: Ask, bytesMax: number) {
    this.#ask = ask
    this.#kept = new LRUCache({ maxSize: bytesMax, sizeCalculation: sizeOf })
  }

  /**
   * The texts at the places, in order. Asks content for those not kept; throws what that throws.
   */
  async of(places: TextPlace[], meta: Meta): Promise<PostText[]> {
    const texts = places.map(([, , , digest]) => this.#kept.get(digest))
    const unknown = places.filter((_, i) => texts[i] === undefined)
    if (unknown.length === 0) return texts as PostText[]
    const read = await this.#read(unknown, meta)
    let next = 0
    return texts.map((text) => text ?? (read[next++] as PostText))
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  async #read(places: TextPlace[], asked: Meta): Promise<PostText[]> {
    const versions = places.map(([, id, version]): [string, number] => [id, version])
    const { json, meta } = await this.#ask(readPostTexts, { versions }, asked)
    const { spans = [] } = meta
    if (spans.length !== places.length) throw new Error('content left texts out')
    return spans.map(([from, to, digest]) => {
      // A copy, because a view would keep the whole answer in memory as long as one of its texts.
      const text = { bytes: new Uint8Array(json.subarray(from, to)), digest }
      // Under its own digest: this replica of content may write the text otherwise than the one
      // that named the digest.
      this.#kept.set(digest, text)
      return text
    })
  }
}

/** Bytes of the objects around a text, and of its key. */
const OVERHEAD_BYTES = 400

function sizeOf({ bytes }: PostText): number {
  return bytes.length + OVERHEAD_BYTES
}
