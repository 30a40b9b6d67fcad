import type { Meta } from '@stoa/shared/bus/meta.js'
import { readPostTexts, type TextPlace } from '@stoa/shared/contracts/post-texts.js'
import { LRUCache } from 'lru-cache'
import type { Ask } from '../downstream/ask.ts'

/** The text of one version as it stands in an answer. */
export interface PostText {
  bytes: Uint8Array
  /** Of the bytes, so that an answer made of texts need not be hashed whole. */
  digest: string
}

/**
 * Texts of versions by their digests: content answers feeds without them. Whether one may be shown
 * is for the answer that lacks it to say, and that is read anew.
 */
export class PostTexts {
  readonly #kept: LRUCache<string, PostText>
  readonly #ask: Ask

  /** Keeps up to `bytesMax` bytes of them. */
  constructor(ask: Ask, bytesMax: number) {
    this.#ask = ask
    this.#kept = new LRUCache({ maxSize: bytesMax, sizeCalculation: sizeOf })
  }

  /** What belongs there, in order; content is asked for what is not at hand, and may throw. */
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
      // A copy: the answer would be kept whole for as long as one of its texts.
      const text = { bytes: new Uint8Array(json.subarray(from, to)), digest }
      // Under its own digest: another content than the one that asked may write otherwise.
      this.#kept.set(digest, text)
      return text
    })
  }
}

/** Objects around a text, and its key. */
const OVERHEAD_BYTES = 400

function sizeOf({ bytes }: PostText): number {
  return bytes.length + OVERHEAD_BYTES
}
