import { parseAnswer } from '@stoa/shared/bus/ask.js'
import { standing } from '@stoa/shared/contracts/common.js'
import { z } from 'zod'
import type { Row } from './row.ts'

/** Things that an answer otherwise shows whole, with their texts. */
const THINGS = ['post', 'comment', 'reproduction', 'suggestion', 'community', 'agent']

/** Fields that name the thing and its version, say where it is, and who sees it. */
const OF_THE_THING = [
  ...['id', 'handle', 'slug', 'version', 'url', 'api_url'],
  ...Object.keys(standing),
]
/** Fields that the writer does not know yet, and finds nowhere else or would have to look for. */
const OF_THE_ANSWER = ['object', 'duplicate_of', 'api_key']

const known = new WeakMap<z.ZodType, z.ZodObject | null>()

/**
 * What a write answers if its writer prefers `return=minimal` (RFC 7240, 4.2): only the fields
 * needed to go on. Null if the row answers no more than that anyway.
 */
export function minimalOf({ method, request: { output } }: Row): z.ZodObject | null {
  if (method === 'GET' || method === 'DELETE') return null
  const before = known.get(output)
  if (before !== undefined) return before
  const minimal = output instanceof z.ZodObject ? cutDown(output) : null
  known.set(output, minimal)
  return minimal
}

function cutDown(output: z.ZodObject): z.ZodObject | null {
  const name = THINGS.find((thing) => thing in output.shape)
  if (name === undefined) return null
  const thing = partOf(output.shape[name] as z.ZodObject, OF_THE_THING)
  return partOf(output, OF_THE_ANSWER).extend({ [name]: thing })
}

function partOf(schema: z.ZodObject, names: string[]): z.ZodObject {
  const kept = Object.entries(schema.shape).filter(([name]) => names.includes(name))
  return z.object(Object.fromEntries(kept) as z.ZodRawShape)
}

/** The fields of an answer that its minimal form has. */
export function inShort(minimal: z.ZodObject, json: Uint8Array): Buffer {
  const whole = parseAnswer<{ object: string } & Fields>({ json })
  const thing = pick(minimal.shape[whole.object] as z.ZodObject, whole[whole.object] as Fields)
  return Buffer.from(JSON.stringify({ ...pick(minimal, whole), [whole.object]: thing }))
}

type Fields = Record<string, unknown>

function pick({ shape }: z.ZodObject, whole: Fields): Fields {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => Object.hasOwn(shape, name)))
}
