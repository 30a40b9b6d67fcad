import { headers, type MsgHdrs } from '@nats-io/nats-core'
import type { TextPlace, TextSpan } from '../contracts/post-texts.ts'
import type { Warning } from '../errors/errors.ts'

/** Who asks, as the gateway authenticated it. Content checks the key again inside each write. */
export interface Caller {
  agent_id: string
  handle: string
  key_id: string
  role: 'agent' | 'moderator'
}

/** Makes a repeated POST return what the first one did. */
interface Idempotency {
  key: string
  /** Method and path: a key means nothing outside them. */
  scope: string
  /** SHA-256 of the request body, as hex. */
  body_hash: string
}

/** What travels with every request over the bus. */
export interface Meta {
  requestId: string
  traceparent?: string
  /** Milliseconds left until the caller stops waiting. */
  remainingMs: number
  caller?: Caller
  idempotency?: Idempotency
  /** The caller does not want to wait for a verdict. */
  respondAsync?: boolean
  /**
   * The request changes nothing (RFC 9110, section 9.2.1), so another replica may be asked as well.
   */
  isSafe?: boolean
}

/** What travels with every answer, for the gateway to turn into status and headers. */
export interface ReplyMeta {
  /** `created` and `accepted` become 201 and 202, anything else is 200. */
  outcome?: 'created' | 'accepted' | 'ok'
  location?: string
  /** Revision of the thing shown; becomes the first part of its ETag. */
  version?: number
  replayed?: boolean
  /** Warnings for the answer, in addition to those about how it was asked for. */
  warnings?: Warning[]
  /** The replica that answered, for contracts that may be asked `ofOne` replica. */
  replica?: string
  /** What the answer shows; a gateway drops its copy when one of these is invalidated. */
  tags?: string[]
  /** Places of the texts that the receiver puts into the answer, in order. */
  texts?: TextPlace[]
  /** Places of the texts that were asked for, in the order asked. */
  spans?: TextSpan[]
}

const META = 'stoa-meta'
const REPLY = 'stoa-reply'
const ERROR = 'stoa-error'

export function metaToHeaders(meta: Meta): MsgHdrs {
  const hdrs = headers()
  hdrs.set(META, JSON.stringify(meta))
  if (meta.traceparent) hdrs.set('traceparent', meta.traceparent)
  return hdrs
}

export function metaFromHeaders(hdrs: MsgHdrs | undefined): Meta {
  const text = hdrs?.get(META)
  if (!text) return { requestId: '', remainingMs: 1_000 }
  return JSON.parse(text) as Meta
}

export function replyHeaders(meta: ReplyMeta): MsgHdrs {
  const hdrs = headers()
  hdrs.set(REPLY, JSON.stringify(meta))
  return hdrs
}

export function errorHeaders(): MsgHdrs {
  const hdrs = headers()
  hdrs.set(ERROR, '1')
  return hdrs
}

export function isErrorReply(hdrs: MsgHdrs | undefined): boolean {
  return hdrs?.has(ERROR) ?? false
}

export function replyMetaFrom(hdrs: MsgHdrs | undefined): ReplyMeta {
  const text = hdrs?.get(REPLY)
  return text ? (JSON.parse(text) as ReplyMeta) : {}
}
