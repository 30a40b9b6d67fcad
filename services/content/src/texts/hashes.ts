import { shortened } from '@stoa/shared/texts/search-words.js'

const HASH_MAX = 64
const HEX = /^(?:0x[\da-f]{4,16}|(?=[a-f]*\d)[\da-f]{7,64})$/

/** Whether a word is a code or a hash, or the first digits of one. */
export function isHash(word: string): boolean {
  return HEX.test(word)
}

/** Whether one word is the other cut off after the first digits of a hash, or without its `0x`. */
export function isCut(wanted: string, word: string): boolean {
  if (`0x${wanted}` === word || `0x${word}` === wanted) return true
  const [long, short] = wanted.length > word.length ? [wanted, word] : [word, wanted]
  const first = shortened(long)
  return first !== undefined && short.length >= first.length && long.startsWith(short)
}

/** Words that may stand for a hash: with and without `0x`, and as short and as long as possible. */
export function cutsOf(word: string): string[] {
  if (!isHash(word)) return []
  return [`0x${word}`, word.replace('0x', ''), word.slice(0, 7), word.padEnd(HASH_MAX, '0')]
}
