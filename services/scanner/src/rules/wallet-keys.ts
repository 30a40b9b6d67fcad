import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'

/** Of Bitcoin and what followed it: the first digit is worth the most, and no letter looks like another. */
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CHECKSUM_BYTES = 4
const SEED_BYTES = 32

/** A private key as wallets of Bitcoin export it: its own bytes, and a checksum of them. */
export function isWalletImportFormat(value: string): boolean {
  const bytes = base58(value)
  if (bytes === null || (bytes.length !== 37 && bytes.length !== 38)) return false
  const body = bytes.subarray(0, -CHECKSUM_BYTES)
  return sha256(sha256(body)).subarray(0, CHECKSUM_BYTES).equals(bytes.subarray(body.length))
}

/** A seed with its public key behind it, in base58 or as a list of bytes; signatures are as long. */
export function isEd25519Pair(value: string): boolean {
  const bytes = value.includes(',') ? bytesOfList(value) : base58(value)
  if (bytes?.length !== 2 * SEED_BYTES) return false
  return publicKeyOf(bytes.subarray(0, SEED_BYTES)).equals(bytes.subarray(SEED_BYTES))
}

function bytesOfList(list: string): Buffer {
  return Buffer.from(list.split(',').map(Number))
}

/** As a JSON Web Key, which takes a fifth of the time that DER does; its `x` is not looked at. */
function publicKeyOf(seed: Buffer): Buffer {
  const d = seed.toString('base64url')
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x: d }, format: 'jwk' })
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Null where a character is none of the alphabet. A leading 1 is a byte of zero. */
function base58(text: string): Buffer | null {
  let number = 0n
  for (const letter of text) {
    const digit = BASE58.indexOf(letter)
    if (digit === -1) return null
    number = number * 58n + BigInt(digit)
  }
  const hex = number === 0n ? '' : number.toString(16)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Buffer.concat([
    Buffer.alloc(zeros),
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'),
  ])
}
