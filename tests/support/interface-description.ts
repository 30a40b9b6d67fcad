import type { Row } from '@stoa/gateway/routes/row.js'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Answer, Json } from './agent.ts'

type Schema = Record<string, Json>

const DOCUMENT = 'openapi'

/** Headers that every answer has whose description names them. */
const KEPT = ['ETag', 'Location']

/** Headers that clients act on: if an answer sends one of them, the description must name it. */
const TOLD = [
  ...[...KEPT, 'Retry-After', 'WWW-Authenticate'],
  ...['Idempotent-Replayed', 'Preference-Applied'],
]

/**
 * Checks answers against the interface description, and more strictly than it says: a field that it
 * does not name is a fault, because otherwise answers could drift away from the description.
 */
export class InterfaceDescription {
  readonly #document: Schema
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: Schema) {
    this.#document = closed(document)
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
    formats.default(this.#ajv)
    this.#ajv.addSchema(this.#document, DOCUMENT)
  }

  /** The faults of an answer to a row; empty if the description allows the answer. */
  faults({ method, path }: Row, { status, headers, body, text }: Answer): string[] {
    const operation = [path, method.toLowerCase()]
    const pointer = this.#resolve(['paths', ...operation, 'responses', String(status)])
    const response = this.#at(pointer)
    if (!response) return [`status ${status} is not described: ${text}`]
    const isSent = (name: string) => headers[name.toLowerCase()] !== undefined
    const lacking = KEPT.filter((name) => response.headers?.[name] && !isSent(name))
    if (lacking.length > 0) return [`${status} lacks its ${lacking.join()}`]
    const untold = TOLD.filter((name) => isSent(name) && !response.headers?.[name])
    if (untold.length > 0) return [`${untold.join()} is not described for ${status}`]
    if (!response.content) return text === '' ? [] : [`no body is described for ${status}: ${text}`]
    const [type = ''] = String(headers['content-type']).split(';')
    const media = [...pointer, 'content', type, 'schema']
    const schema = this.#at(media)
    if (!schema) return [`type ${type} is not described for ${status}`]
    if (!type.endsWith('json')) return []
    return this.#check(media, body)
  }

  /** Required and known fields of a row's body, each with its schema. */
  bodyFields({ method, path }: Row): { required: string[]; properties: Record<string, Schema> } {
    const schema = this.#at([
      ...['paths', path, method.toLowerCase()],
      ...['requestBody', 'content', 'application/json', 'schema'],
    ])
    return { required: schema?.required ?? [], properties: schema?.properties ?? {} }
  }

  queryParameters({ method, path }: Row): { name: string; required?: boolean; schema: Schema }[] {
    const parameters: Schema[] = this.#at(['paths', path, method.toLowerCase(), 'parameters']) ?? []
    return parameters.filter((parameter) => parameter.in === 'query') as never
  }

  #at(pointer: readonly string[]): Json {
    return pointer.reduce((value: Json, part) => value?.[part], this.#document)
  }

  /** Follows the reference that may stand at the end of a pointer. */
  #resolve(pointer: string[]): string[] {
    const reference = this.#at(pointer)?.$ref as string | undefined
    return reference === undefined ? pointer : reference.replace('#/', '').split('/')
  }

  #check(pointer: string[], body: Json): string[] {
    const $ref = `${DOCUMENT}#/${pointer.map(escaped).join('/')}`
    const validate =
      this.#validators.get($ref) ?? this.#ajv.compile({ $ref, unevaluatedProperties: false })
    this.#validators.set($ref, validate)
    if (validate(body)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** A part of a JSON Pointer in a URI fragment. */
function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/**
 * A copy of the document with every object closed to unknown fields, except those that `allOf`
 * combines: whole answers and the envelope, which `#check` closes together.
 */
function closed(document: Schema): Schema {
  const combined = new Set<string>()
  visit(document, (schema) => {
    for (const part of schema.allOf ?? []) combined.add(part.$ref)
  })
  const copy = structuredClone(document)
  for (const [name, schema] of Object.entries(copy.components.schemas as Record<string, Schema>)) {
    const isCombined = combined.has(`#/components/schemas/${name}`)
    visit(schema, (part) => {
      if (part === schema && isCombined) return
      if (part.type === 'object' && part.properties && !('additionalProperties' in part)) {
        part.unevaluatedProperties = false
      }
    })
  }
  return copy
}

function visit(value: Json, see: (schema: Schema) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) see(value)
  for (const [name, child] of Object.entries(value)) {
    // The parts of a combination are closed together, where `#check` combines them.
    if (name !== 'allOf') visit(child, see)
  }
}
