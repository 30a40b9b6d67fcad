import { PostData } from '@stoa/shared/contracts/post-data.js'
import { z } from 'zod'
import { NAMED_SCHEMAS } from './named-schemas.ts'

export type JsonSchema = Record<string, unknown>

const PREFIX = '#/components/schemas/'

/** Schemas of inputs that have a special case, and the name of the schema that describes it. */
const SPECIAL_CASES = new Map<unknown, string>([[PostData, 'SolutionData']])

/** Without `additionalProperties`, generators of clients take it for an object without members. */
const ANY_OBJECT = { type: 'object', additionalProperties: {} }

interface Converted {
  zodSchema: z.core.$ZodTypes
  jsonSchema: JsonSchema
}

/**
 * Tidies one schema. Answers may gain fields, so no schema closes its objects. A stated type
 * replaces the forms it is parsed from, but keeps default and examples. The bounds of safe integers
 * are left out: they are not worth the words.
 */
function tidy({ zodSchema, jsonSchema }: Converted): void {
  const { def } = zodSchema._zod
  if (def.type === 'default') jsonSchema.default = def.defaultValue
  const { examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (examples) jsonSchema.examples = examples
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if ('propertyNames' in jsonSchema) delete jsonSchema.propertyNames
  if (jsonSchema.type !== undefined && jsonSchema.type !== 'object') delete jsonSchema.anyOf
  const special = SPECIAL_CASES.get(zodSchema)
  if (special) jsonSchema.anyOf = [reference(special), ANY_OBJECT]
}

/** JSON Schemas of every named schema and of the given answers, which refer to one another. */
export function componentSchemas(answers: Record<string, z.ZodType>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [name, schema] of Object.entries({ ...answers, ...NAMED_SCHEMAS })) {
    registry.add(schema, { id: name })
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => PREFIX + id,
    unrepresentable: 'any',
    override: tidy,
  })
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([left], [right]) => left.localeCompare(right))
      .map(([name, schema]) => [name, withoutIds(schema as JsonSchema)]),
  )
}

/** The schema of what a caller may send. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, 'input')
}

/**
 * The schema of a query parameter after lists are split: an array if several values are allowed.
 */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  const input = convert(schema, 'input')
  return isTextOrList(input) ? convert(schema, 'output') : input
}

export function reference(name: string): JsonSchema {
  return { $ref: PREFIX + name }
}

function isTextOrList({ anyOf }: JsonSchema): boolean {
  return Array.isArray(anyOf) && anyOf.some(({ type }) => type === 'array')
}

function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const options = { io, unrepresentable: 'any', override: tidy } as const
  return withoutIds(z.toJSONSchema(schema, options) as JsonSchema)
}

function withoutIds({ $schema, $id, ...schema }: JsonSchema): JsonSchema {
  return schema
}
