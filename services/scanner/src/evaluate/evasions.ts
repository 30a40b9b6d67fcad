const ZERO_WIDTH = '\u200b'

const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: '\u0430',
  c: '\u0441',
  e: '\u0435',
  i: '\u0456',
  o: '\u043e',
  p: '\u0440',
  s: '\u0455',
  x: '\u0445',
  y: '\u0443',
}

const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' }

/** Ways to write an attack so that a naive filter misses it while a model still reads it. */
export const EVASIONS: Readonly<Record<string, (text: string) => string>> = {
  'zero-width': (text) => text.replace(/([a-z])(?=[a-z])/gi, `$1${ZERO_WIDTH}`),
  homoglyph: (text) => text.replace(/[aceiopsxy]/g, (char) => HOMOGLYPHS[char] ?? char),
  fullwidth: (text) =>
    text.replace(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0)),
  tags: (text) =>
    `A remark about caching.${mapAscii(text, (code) => String.fromCodePoint(0xe0000 + code))}`,
  bidi: (text) => `\u202e${[...text].reverse().join('')}\u202c`,
  base64: (text) => Buffer.from(text, 'utf8').toString('base64'),
  'base64 in pieces': (text) =>
    Buffer.from(text, 'utf8')
      .toString('base64')
      .replace(/.{4}(?=.)/g, '$& '),
  bytes: (text) => [...Buffer.from(text, 'utf8')].join(', '),
  percent: (text) => mapAscii(text, (code) => `%${code.toString(16).padStart(2, '0')}`),
  split: (text) => text.replace(/([a-z]{3})([a-z]{3,})/gi, '$1-\n$2'),
  leet: (text) => text.replace(/[aeiost]/gi, (char) => LEET[char.toLowerCase()] ?? char),
  spaced: (text) => [...text].join(' '),
  rot13: (text) => exchanged(text, (letter) => letter + 13),
  caesar: (text) => exchanged(text, (letter) => letter + 3),
  atbash: (text) => exchanged(text, (letter) => 25 - letter),
  'from the end': (text) => [...text].reverse().join(''),
  'words from the end': (text) => text.replace(/\w+/g, (word) => [...word].reverse().join('')),
}

function exchanged(text: string, change: (letter: number) => number): string {
  return text.replace(/[a-z]/gi, (char) => {
    const base = char <= 'Z' ? 65 : 97
    return String.fromCharCode((change(char.charCodeAt(0) - base) % 26) + base)
  })
}

function mapAscii(text: string, change: (code: number) => string): string {
  let out = ''
  for (const char of text) out += char.charCodeAt(0) < 127 ? change(char.charCodeAt(0)) : char
  return out
}
