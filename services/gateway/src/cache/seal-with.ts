import { openObject, withTexts } from '@stoa/shared/answers/json-pieces.js'
import type { RawAnswer } from '@stoa/shared/bus/ask.js'
import { sealJson } from '../http/envelope.ts'
import type { PostText } from './post-texts.ts'

/** An answer and what the gateway adds to it. */
export interface Answered extends RawAnswer {
  /** Fields that come in front of its own. */
  fields?: Record<string, unknown>
  /** What it lacks, by `meta.texts`. */
  texts?: readonly PostText[]
}

/** Puts the envelope and fields of the gateway's own in front of an answer, and texts into it. */
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
 * Bytes that differ wherever those of the sealed answer do, and are fewer; undefined where there is
 * nothing to save.
 */
export function fingerprint(
  { json, fields, texts }: Answered,
  extra: Record<string, unknown> = {},
): Buffer | undefined {
  if (!texts) return undefined
  const digests = texts.map(({ digest }) => digest)
  return Buffer.concat([Buffer.from(JSON.stringify([extra, fields, digests])), json])
}
