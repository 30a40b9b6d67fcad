import { hash } from 'node:crypto'
import type { Meta } from '@stoa/shared/bus/meta.js'
import {
  type MissingTexts,
  readPostTexts,
  type TextPlace,
} from '@stoa/shared/contracts/post-texts.js'
import { LRUCache } from 'lru-cache'
import type { Ask } from '../downstream/ask.ts'

/** The text of one version as it stands in an answer. */
export interface PostText {
  bytes: Buffer
  /** Of the bytes, so that an answer made of texts need not be hashed whole. */
  digest: string
}

/**
 * Texts of versions, which never change: content answers feeds without them. Whether one may be
 * shown is for the answer that lacks it to say, and that is read anew.
 */
export class PostTexts {
  readonly #kept: LRUCache<string, PostText>
  readonly #ask: Ask

  /** Keeps up to `bytesMax` bytes of them. */
  constructor(ask: Ask, bytesMax: number) {
    this.#ask = ask
    this.#kept = new LRUCache({ maxSize: bytesMax, sizeCalculation: sizeOf })
  }

  /** What is missing, in its order; content is asked for what is not at hand, and may throw. */
  async of({ form, places }: MissingTexts, meta: Meta): Promise<PostText[]> {
    const texts = places.map((place) => this.#kept.get(keyOf(form, place)))
    const unknown = places.filter((_, i) => texts[i] === undefined)
    if (unknown.length === 0) return texts as PostText[]
    const read = await this.#read(form, unknown, meta)
    let next = 0
    return texts.map((text) => text ?? (read[next++] as PostText))
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  async #read(form: string, places: TextPlace[], asked: Meta): Promise<PostText[]> {
    const versions = places.map(([, id, version]): [string, number] => [id, version])
    const { json, meta } = await this.#ask(readPostTexts, { versions }, asked)
    const { spans = [] } = meta
    if (spans.length !== places.length) throw new Error('content left texts out')
    return places.map((place, i) => {
      const text = textOf(json.subarray(...(spans[i] as [number, number])))
      this.#kept.set(keyOf(form, place), text)
      return text
    })
  }
}

function keyOf(form: string, [, id, version]: TextPlace): string {
  return `${form} ${id} ${version}`
}

/** A copy: the answer it stands in would be kept whole for as long as one of its texts. */
function textOf(part: Uint8Array): PostText {
  const bytes = Buffer.allocUnsafeSlow(part.length)
  bytes.set(part)
  return { bytes, digest: hash('sha256', bytes, 'base64') }
}

/** Objects around a text, and its key. */
const OVERHEAD_BYTES = 400

function sizeOf({ bytes }: PostText): number {
  return bytes.length + OVERHEAD_BYTES
}
