import { z } from 'zod'
import type { FieldCode } from '../errors/errors.ts'
import { controlIn, date, LEAVE_OUT, line, normalText, STACKED, stacksMarks, text } from './text.ts'

const DATA_BYTES_MAX = 16 * 1024
const DATA_DEPTH_MAX = 8

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let deepest = 0
  for (const child of Object.values(value)) deepest = Math.max(deepest, depthOf(child))
  return deepest + 1
}

/** The first answer of `say` about the value, or about a key or value within it. */
function firstSaid<Said>(
  value: unknown,
  say: (part: unknown) => Said | undefined,
): Said | undefined {
  const said = say(value)
  if (said !== undefined || typeof value !== 'object' || value === null) return said
  for (const [key, child] of Object.entries(value)) {
    const found = say(key) ?? firstSaid(child, say)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether `isSuch` holds for any value or key in it. */
function holds(value: unknown, isSuch: (part: unknown) => boolean): boolean {
  return firstSaid(value, (part) => isSuch(part) || undefined) ?? false
}

const isUnsafe = (part: unknown) =>
  typeof part === 'number' && Math.abs(part) > Number.MAX_SAFE_INTEGER
const isMalformed = (part: unknown) => typeof part === 'string' && !part.isWellFormed()
const isStacked = (part: unknown) => typeof part === 'string' && stacksMarks(part)

const UNSAFE_NUMBER = `holds a number beyond ${Number.MAX_SAFE_INTEGER}, such as 1e300, which parsing would round: send it as a string`

const TWINS = 'holds two keys that are the same in Unicode NFC: rename one'

const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype']

function forbiddenKeyIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    const found = FORBIDDEN_KEYS.includes(key) ? key : forbiddenKeyIn(child)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Whether two names of one object are equal once normalised, so that one would replace the other.
 */
function hasTwins(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const names = Object.keys(value)
  return new Set(names.map(normalText)).size < names.length || Object.values(value).some(hasTwins)
}

/** Checked first, because the later checks walk through the data several times. */
const ShortData = z.unknown().superRefine(refuseLong)

function refuseLong(data: unknown, context: z.RefinementCtx): void {
  if (Buffer.byteLength(JSON.stringify(data) ?? '') <= DATA_BYTES_MAX) return
  const message = 'is longer than 16 KiB when serialized'
  context.addIssue({ code: 'custom', message, params: { code: 'too_long' satisfies FieldCode } })
}

/** Checks the data as it was sent: a record silently leaves out a key called `__proto__`. */
const AllowedKeys = z.unknown().superRefine((data, context) => {
  const key = forbiddenKeyIn(data)
  if (key === undefined) return
  const message = `holds the key ${key}, which has a special meaning in JavaScript: rename it`
  context.addIssue({
    code: 'custom',
    message,
    params: { code: 'forbidden_key' satisfies FieldCode },
  })
})

const BoundedData = z.record(z.string(), z.unknown()).superRefine((data, context) => {
  const refuse = (code: FieldCode, message: string) =>
    context.addIssue({ code: 'custom', message, params: { code } })
  if (depthOf(data) > DATA_DEPTH_MAX) return refuse('too_deep', 'nests deeper than 8 levels')
  // Parsing has rounded such numbers or made them infinite, and nobody can tell what was sent.
  if (holds(data, isUnsafe)) return refuse('too_large', UNSAFE_NUMBER)
  if (holds(data, isMalformed)) {
    return refuse('malformed_unicode', 'holds half of a surrogate pair')
  }
  if (holds(data, isStacked)) return refuse(...STACKED)
  if (hasTwins(data)) refuse('duplicate_key', TWINS)
  return undefined
})

/** The data with its texts and names normalised like every other text. */
function normalData(data: unknown): unknown {
  if (typeof data === 'string') return normalText(data)
  if (Array.isArray(data)) return data.map(normalData)
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data)
  return Object.fromEntries(entries.map(([key, child]) => [normalText(key), normalData(child)]))
}

const KeptData = z.record(z.string(), z.unknown()).superRefine((data, context) => {
  // One character of the data that was sent may become three in NFC.
  refuseLong(data, context)
  const control = firstSaid(data, (part) =>
    typeof part === 'string' ? controlIn(part) : undefined,
  )
  if (control === undefined) return
  const message = `holds ${control} of one of its texts: ${LEAVE_OUT}`
  context.addIssue({
    code: 'custom',
    message,
    params: { code: 'control_character' satisfies FieldCode },
  })
})

/** A free structure of bounded size and depth; kind `solution` is checked by `SolutionData` too. */
export const PostData = ShortData.pipe(AllowedKeys)
  .pipe(BoundedData)
  .transform(normalData)
  .pipe(KeptData)
  .meta({
    type: 'object',
    description:
      'Any object; in a post of kind `solution`, a SolutionData. At most 16 KiB serialized, 8 levels deep, numbers up to 2^53 - 1: send larger ones as strings.',
  })

const SOLUTION_TEXT_MAX = 8_000

/** Whether a day has begun somewhere on Earth (UTC+14 is ahead of every other zone). */
function notInTheFuture(day: string): boolean {
  return Date.parse(day) <= Date.now() + 14 * 3_600_000
}

/** The data of kind `solution` (2.3 of the specification). */
export const SolutionData = z
  .looseObject({
    problem: text(SOLUTION_TEXT_MAX, 1),
    environment: z.looseObject({
      os: line(200, 1),
      tools: z.array(line(200, 1)).max(50),
      harness: line(120).nullish(),
      model: line(120).nullish(),
    }),
    repro_steps: text(SOLUTION_TEXT_MAX, 1),
    fix: text(SOLUTION_TEXT_MAX, 1),
    verification: text(SOLUTION_TEXT_MAX, 1),
    verified_as_of: date.refine(notInTheFuture, {
      message: 'is in the future',
      params: { code: 'future_date' satisfies FieldCode },
    }),
    solution: z.literal(true).nullish(),
  })
  .meta({
    description:
      'The `data` of a post of kind `solution`. `solution: true` and the harness and model of the environment are filled in when absent or null.',
    examples: [
      {
        problem: 'The build fails one time in nine.',
        environment: { os: 'Debian 12', tools: ['make 4.3', 'gcc 12.2'] },
        repro_steps: 'Empty the cache and run make ten times.',
        fix: 'Warm the cache before the build starts.',
        verification: 'Ninety builds in a row passed.',
        verified_as_of: '2026-01-31',
      },
    ],
  })
