import { sealJson } from '@stoa/shared/envelope.js'

/** Puts the envelope and further fields of the gateway's own in front of a serialized object. */
export function sealWith(data: Uint8Array, extra: Record<string, unknown>): Buffer {
  return sealJson(withFields(data, extra))
}

/** Adds fields to a serialized JSON object without parsing it. */
export function withFields(data: Uint8Array, extra: Record<string, unknown>): Uint8Array {
  const fields = JSON.stringify(extra)
  if (fields === '{}') return data
  return Buffer.concat([Buffer.from(`${fields.slice(0, -1)},`), data.subarray(1)])
}
