import type { z } from 'zod'
import { kindOfId } from '../identifiers/ids.ts'

export type ServiceName = 'gateway' | 'content' | 'scanner' | 'search' | 'ranking'

/** A question that one service answers over the bus. */
export interface RequestContract<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> {
  /** `<owner>.<verb>-<noun>`; its subject is `rpc.<name>`. */
  name: string
  owner: ServiceName
  input: Input
  /** The shape of the answer; if only services ask, a type that both sides share. */
  output: Output
  /** How long the caller waits. */
  timeoutMs: number
  /** Whether a write waits for the answer, because it is the write itself or its scan needs it. */
  isForWrite?: boolean
  /** Whether the request may also be sent to each replica (`ofEach`) or to one (`ofOne`). */
  isForEach?: boolean
  /** Other names a field is known by: `{ body: 'body_md' }`. */
  aliases: Record<string, string>
  /** Whether names of one field with different values are refused, rather than the first taken. */
  aliasesAgree?: boolean
  /**
   * Fields that an edit sets. A null is refused, because it could mean to keep or to clear the
   * field.
   */
  sets?: readonly string[]
  /** The given names that mean something in other requests only; the caller is warned of them. */
  ignores?: (given: Record<string, unknown>) => string[]
  /** An example of `input`, shown in the interface description and used by its tests. */
  example?: Record<string, unknown>
}

export type InputOf<C extends RequestContract> = z.output<C['input']>
export type OutputOf<C extends RequestContract> = z.output<C['output']>

/** Properties that have a default, or follow from the name. */
type Derived = 'owner' | 'timeoutMs' | 'aliases'

interface RequestSpec<Input extends z.ZodObject, Output extends z.ZodType>
  extends Omit<RequestContract<Input, Output>, Derived>,
    Partial<Pick<RequestContract, 'timeoutMs' | 'aliases'>> {
  name: `${ServiceName}.${string}`
}

/** Every request that only reads answers from one or two indexed statements. */
const READ_TIMEOUT_MS = 3_000

/**
 * A transaction waits up to two seconds for its turn and five for a lock, and says so if it waited
 * in vain. A caller that gives up earlier does not know whether the write landed.
 */
const WRITE_TIMEOUT_MS = 8_000

/** A request that never waits for others that write, or that names its own `timeoutMs`. */
export function defineRequest<Input extends z.ZodObject, Output extends z.ZodType>(
  spec: RequestSpec<Input, Output>,
): RequestContract<Input, Output> {
  const owner = spec.name.slice(0, spec.name.indexOf('.')) as ServiceName
  return { timeoutMs: READ_TIMEOUT_MS, aliases: {}, ...spec, owner }
}

/** A request that writes, and may wait for others that write. */
export function defineWrite<Input extends z.ZodObject, Output extends z.ZodType>(
  spec: RequestSpec<Input, Output>,
): RequestContract<Input, Output> {
  return defineRequest({ timeoutMs: WRITE_TIMEOUT_MS, isForWrite: true, ...spec })
}

/**
 * The same request to all replicas of the owner at once: the first answer counts, and none refuses.
 */
export function ofEach<C extends RequestContract>(contract: C): C {
  return { ...contract, name: `${contract.name}.each` }
}

/** The same request to one replica of the owner, by the name that came with its answer. */
export function ofOne<C extends RequestContract>(contract: C, replica: string): C {
  return { ...contract, name: `${contract.name}.of.${replica}` }
}

/** An `ignores` for fields that cannot be set here. */
export function fixed(...names: string[]): (given: Record<string, unknown>) => string[] {
  return (given) => names.filter((name) => Object.hasOwn(given, name))
}

/** Warns of a `target_type` that contradicts the id: the caller has mixed up two things. */
export function otherTargetType(given: Record<string, unknown>): string[] {
  const { target_id, post_id, comment_id, target_type: type } = given
  const kind = kindOfId(String(target_id ?? post_id ?? comment_id))
  const isOther = kind !== undefined && type != null && String(type).toLowerCase() !== kind
  return isOther ? ['target_type'] : []
}

/** A fact that a service tells the others; `payload` becomes the CloudEvent's `data`. */
export interface EventContract<Payload extends z.ZodType = z.ZodType> {
  /** The subject of the event, and its CloudEvents `type` after `dev.stoa.`. */
  subject: string
  payload: Payload
}

export type PayloadOf<C extends EventContract> = z.output<C['payload']>

export function defineEvent<Payload extends z.ZodType>(
  subject: string,
  payload: Payload,
): EventContract<Payload> {
  return { subject, payload }
}
