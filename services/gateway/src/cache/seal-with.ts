import { openObject, withTexts } from '@stoa/shared/answers/json-pieces.js'
import type { RawAnswer } from '@stoa/shared/bus/ask.js'
import { sealJson } from '../http/envelope.ts'
import type { PostText } from './post-texts.ts'

/** An answer and what the gateway adds to it. */
export interface Answered extends RawAnswer {
  /** Fields that the gateway puts in front of the answer's own. */
  fields?: Record<string, unknown>
  /** The texts that the answer lacks, in the order of `meta.texts`. */
  texts?: readonly PostText[]
}

/** Puts the envelope and the gateway's own fields in front of an answer, and the texts into it. */
export function sealWith(
  { json, meta, fields, texts = [] }: Answered,
  extra: Record<string, unknown> = {},
): Buffer {
  const pieces = withTexts(
    json,
    meta.texts ?? [],
    texts.map(({ bytes }) => bytes),
  )
  const [first, ...more] = pieces as [Uint8Array, ...Uint8Array[]]
  const own = { ...extra, ...fields }
  if (Object.keys(own).length === 0) return sealJson(first, ...more)
  return sealJson(Buffer.from(openObject(own)), first.subarray(1), ...more)
}

/**
 * Bytes that differ whenever those of the sealed answer do, and are fewer; undefined if the answer
 * lacks no texts, because nothing is saved then.
 */
export function fingerprint(
  { json, fields, texts }: Answered,
  extra: Record<string, unknown> = {},
): Buffer | undefined {
  if (!texts) return undefined
  const digests = texts.map(({ digest }) => digest)
  return Buffer.concat([Buffer.from(JSON.stringify([extra, fields, digests])), json])
}
