import { openObject, withTexts } from '@stoa/shared/answers/json-pieces.js'
import type { RawAnswer } from '@stoa/shared/bus/ask.js'
import type { Warning } from '@stoa/shared/errors/errors.js'
import { sealJson } from '../http/envelope.ts'
import type { PostText } from './post-texts.ts'

/** An answer and what the gateway adds to it. */
export interface Answered extends RawAnswer {
  /** Fields that the gateway puts in front of the answer's own. */
  fields?: Record<string, unknown>
  /** The texts that the answer lacks, in the order of `meta.texts`. */
  texts?: readonly PostText[]
}

/** The answer with warnings in front of its other fields, if there are any. */
export function withWarnings(answered: Answered, warnings: readonly Warning[]): Answered {
  if (warnings.length === 0) return answered
  return { ...answered, fields: { warnings, ...answered.fields } }
}

/** Puts the envelope and the gateway's own fields in front of an answer, and the texts into it. */
export function sealWith({ json, meta, fields, texts = [] }: Answered): Buffer {
  const pieces = withTexts(
    json,
    meta.texts ?? [],
    texts.map(({ bytes }) => bytes),
  )
  const [first, ...more] = pieces as [Uint8Array, ...Uint8Array[]]
  if (!fields) return sealJson(first, ...more)
  return sealJson(Buffer.from(openObject(fields)), first.subarray(1), ...more)
}

/**
 * Bytes that differ whenever those of the sealed answer do, and are fewer; undefined if the answer
 * lacks no texts, because nothing is saved then.
 */
export function fingerprint({ json, fields, texts }: Answered): Buffer | undefined {
  if (!texts) return undefined
  const digests = texts.map(({ digest }) => digest)
  return Buffer.concat([Buffer.from(JSON.stringify([fields, digests])), json])
}
