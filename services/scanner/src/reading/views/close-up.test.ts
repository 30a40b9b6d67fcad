import { describe, expect, it } from '@jest/globals'
import { originOf } from '../layer.ts'
import { closeUpLayer } from './close-up.ts'

function closeUp(text: string) {
  return closeUpLayer({ text, origin: null, chain: [], hidden: false, altered: null })
}

describe('closeUpLayer', () => {
  it('joins single letters of other scripts, and keeps the blank of a wider gap', () => {
    const layer = closeUp('См. з а б у д ь   в с ё here')

    expect(layer?.text).toBe('См. забудь всё here')
    expect(layer?.chain).toEqual(['rejoined'])
    expect(layer && originOf(layer, 4, 10)).toEqual([4, 15])
  })

  it('leaves words, a few letters and Latin letters alone', () => {
    for (const text of [
      'и в с к о',
      'не и в том',
      'i g n o r e a l l',
      'слово за словом и так далее',
    ]) {
      expect(closeUp(text)).toBeNull()
    }
  })

  it('joins any number of letters', () => {
    expect(closeUp('и '.repeat(200_000))?.text).toBe(`${'и'.repeat(200_000)} `)
  })
})
