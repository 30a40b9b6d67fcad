import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Coding } from './etag.ts'

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Below this size a compressed body saves no packet. */
export const COMPRESSIBLE_BYTES_MIN = 1_024

/** Beyond 4 brotli gains a few per cent of size for several times the processor time. */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 6

const KNOWN_MAX = 256
const known = new Map<string, Coding>()

/**
 * The best coding that Accept-Encoding allows, remembered because few different headers are sent.
 */
export function chooseCoding(header: string | undefined): Coding {
  if (header === undefined) return 'identity'
  const remembered = known.get(header)
  if (remembered !== undefined) return remembered
  const coding = parseAcceptEncoding(header)
  if (known.size < KNOWN_MAX && header.length < 256) known.set(header, coding)
  return coding
}

function parseAcceptEncoding(header: string): Coding {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',', 32)) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [br, gz] = [weight('br'), weight('gzip')]
  const best = Math.max(br, gz)
  // Identity is always allowed, and preferred only for a client that says so (RFC 9110, 12.5.3).
  if (best <= 0 || best < (weights.get('identity') ?? 0)) return 'identity'
  return br === best ? 'br' : 'gzip'
}

/** Compresses off the main thread. */
export async function compress(body: Buffer, coding: 'br' | 'gzip'): Promise<Buffer> {
  if (coding === 'gzip') return ownMemory(await gzipAsync(body, { level: GZIP_LEVEL }))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    // A window larger than the body only takes memory.
    [constants.BROTLI_PARAM_LGWIN]: windowBits(body.length),
  }
  return ownMemory(await brotliAsync(body, { params }))
}

function windowBits(bytes: number): number {
  const bits = Math.ceil(Math.log2(bytes + 16))
  return Math.min(constants.BROTLI_DEFAULT_WINDOW, Math.max(constants.BROTLI_MIN_WINDOW_BITS, bits))
}

/** Copies the body: zlib returns the beginning of a buffer of 16 KiB, which would all be kept. */
function ownMemory(body: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return own
}
