import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { scanText } from '../testing/test-rules.ts'

/** The bytes of a seed and its public key, as the tools of Solana write them. */
function bytesOfPair(): number[] {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  return [...seed, ...publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]
}

/** The hash of a sentence, as wallets of Bitcoin and of Dogecoin write a key. */
const EXPORTED = [
  ['L5emo6zG5RWCSsptKjCwtr7PD2', '5NuZpPieVMtgunv5CHr3NqnWn5'],
  ['6L3RTVjCQLwDqoVkw9cxuofHh7', 'bRggBhEoG1qL6opT1bjQjzSvD'],
].map((parts) => parts.join(''))

describe('the key of a wallet', () => {
  it.each(EXPORTED)('is found by its checksum: %#', (key) => {
    expect(scanText(`The private key of my wallet is ${key} and it is empty.`).verdict).toBe(
      'block',
    )
    expect(scanText(`PRIVATE_KEY is ${key.slice(0, -1)}9`).verdict).not.toBe('block')
  })

  it('is found in a list of bytes that ends in the public key of its first half', () => {
    const bytes = bytesOfPair()
    const other = bytes.with(40, (bytes[40] ?? 0) ^ 1)

    expect(scanText(`My id.json of Solana:\n\n\`\`\`\n[${bytes}]\n\`\`\``).verdict).toBe('block')
    expect(scanText(`My id.json of Solana:\n\n\`\`\`\n[${other}]\n\`\`\``).verdict).toBe('allow')
  })

  it('passes if documentation shows the same key', () => {
    const shown = ['5HueCGU8rMjxEXxiPuD5BDku4MkFqe', 'Zyd4dZ1jvhTVqvbTLvyTJ'].join('')

    expect(scanText(`A private key in WIF looks like this: ${shown}`).verdict).toBe('allow')
  })
})
