import { createHmac } from 'node:crypto'

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/
const BYTES_MIN = 24
const BYTES_MAX = 64

/** Reads a `whsec_` secret; undefined unless it is 24 to 64 bytes in base64. */
export function readSecret(text: string): Buffer | undefined {
  const match = SECRET.exec(text)
  const bytes = Buffer.from(match?.[1] ?? '', 'base64')
  return bytes.length >= BYTES_MIN && bytes.length <= BYTES_MAX ? bytes : undefined
}

/**
 * The three headers of the Standard Webhooks specification (standardwebhooks.com, symmetric
 * signatures): HMAC-SHA256 over `id.timestamp.body`, one signature for each secret, so that a
 * secret can be replaced while receivers still know the one before.
 */
export function signedHeaders(
  message: { id: string; body: string; atMs: number },
  secrets: Buffer[],
): Record<string, string> {
  const timestamp = String(Math.floor(message.atMs / 1000))
  const signed = `${message.id}.${timestamp}.${message.body}`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  )
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
