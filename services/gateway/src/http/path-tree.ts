import { AppError } from '@stoa/shared/errors/errors.js'

interface Node<T> {
  literals: Map<string, Node<T>>
  parameters: { name: string; suffix: string; next: Node<T> }[]
  leaf?: { template: string; value: T }
}

export interface Place<T> {
  template: string
  value: T
  parameters: Record<string, string>
}

const PARAMETER = /^\{(\w+)\}(.*)$/

/**
 * Finds the value of a path in one walk over its segments. A template's segment is literal, or a
 * parameter that may end in literal text, as in `/posts/{id}.md`; the more literal one wins.
 */
export class PathTree<T> {
  readonly #root: Node<T> = emptyNode()

  add(template: string, value: T): void {
    let node = this.#root
    for (const segment of segmentsOf(template)) {
      const parameter = PARAMETER.exec(segment)
      node = parameter
        ? parameterOf(node, parameter[1] as string, parameter[2] as string)
        : literalOf(node, segment)
    }
    node.leaf = { template, value }
  }

  /** Throws `bad_request` if a parameter cannot be decoded. */
  find(path: string): Place<T> | undefined {
    const parameters: Record<string, string> = {}
    const leaf = walk(this.#root, segmentsOf(path), 0, parameters)
    return leaf && { ...leaf, parameters }
  }
}

function emptyNode<T>(): Node<T> {
  return { literals: new Map(), parameters: [] }
}

function literalOf<T>(node: Node<T>, segment: string): Node<T> {
  const next = node.literals.get(segment) ?? emptyNode()
  node.literals.set(segment, next)
  return next
}

function parameterOf<T>(node: Node<T>, name: string, suffix: string): Node<T> {
  const known = node.parameters.find((other) => other.name === name && other.suffix === suffix)
  if (known) return known.next
  const next = emptyNode<T>()
  node.parameters.push({ name, suffix, next })
  node.parameters.sort((a, b) => b.suffix.length - a.suffix.length)
  return next
}

/** The segments of a path; a slash at its end means nothing. */
function segmentsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
  return path.slice(1, end).split('/')
}

function walk<T>(
  node: Node<T>,
  segments: string[],
  at: number,
  parameters: Record<string, string>,
): Node<T>['leaf'] {
  const segment = segments[at]
  if (segment === undefined) return node.leaf
  const literal = node.literals.get(segment)
  const found = literal && walk(literal, segments, at + 1, parameters)
  if (found) return found
  for (const { name, suffix, next } of node.parameters) {
    if (segment.length <= suffix.length || !segment.endsWith(suffix)) continue
    const deeper = walk(next, segments, at + 1, parameters)
    if (!deeper) continue
    parameters[name] = decoded(segment.slice(0, segment.length - suffix.length))
    return deeper
  }
  return undefined
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AppError('bad_request')
  }
}
