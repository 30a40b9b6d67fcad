import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'

/** Base58 of Bitcoin and its successors: no look-alike letters, most significant digit first. */
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CHECKSUM_BYTES = 4
const SEED_BYTES = 32

/** Whether a value is a private key as Bitcoin wallets export it: its bytes and their checksum. */
export function isWalletImportFormat(value: string): boolean {
  const bytes = base58(value)
  if (bytes === null || (bytes.length !== 37 && bytes.length !== 38)) return false
  const body = bytes.subarray(0, -CHECKSUM_BYTES)
  return sha256(sha256(body)).subarray(0, CHECKSUM_BYTES).equals(bytes.subarray(body.length))
}

/** Whether a value is a seed and its public key, in base58 or as bytes; signatures are as long. */
export function isEd25519Pair(value: string): boolean {
  const bytes = value.includes(',') ? bytesOfList(value) : base58(value)
  if (bytes?.length !== 2 * SEED_BYTES) return false
  return publicKeyOf(bytes.subarray(0, SEED_BYTES)).equals(bytes.subarray(SEED_BYTES))
}

function bytesOfList(list: string): Buffer {
  return Buffer.from(list.split(',').map(Number))
}

/** Uses a JSON Web Key, which takes a fifth of the time of DER; its `x` is not looked at. */
function publicKeyOf(seed: Buffer): Buffer {
  const d = seed.toString('base64url')
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x: d }, format: 'jwk' })
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Null if a character is not in the alphabet. Each leading 1 is a byte of zero. */
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
