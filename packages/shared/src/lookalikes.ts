/** Letters drawn like an ASCII letter, by the Unicode confusables data (UTS 39), lower case. */
const LOOKALIKES = new Map<number, string>()
const TABLE: Record<string, string> = {
  a: 'аɑα⍺ᴀ',
  b: 'ЬвʙᏏьƄ',
  c: 'сϲᴄⅽс',
  d: 'ԁɗᴅⅾꓒ',
  e: 'еҽєᴇ℮ε',
  f: 'ғꜰϝ',
  g: 'ɡցɢԍ',
  h: 'һнհʜ',
  i: 'іɩıɪιⅰӏ',
  j: 'јϳᴊ',
  k: 'кκᴋқ',
  l: 'ⅼʟ',
  m: 'мᴍⅿм',
  n: 'пոηɴռ',
  o: 'оοօᴏоσ',
  p: 'рρᴘр',
  q: 'ԛզ',
  r: 'гʀᴦг',
  s: 'ѕꜱʂſ',
  t: 'тτᴛт',
  u: 'υսᴜ',
  v: 'νѵᴠⅴ',
  w: 'ԝաᴡω',
  x: 'хχⅹ×',
  y: 'уүყʏγ',
  z: 'ᴢʐ',
}
for (const [latin, likes] of Object.entries(TABLE)) {
  for (const like of likes) {
    const code = like.codePointAt(0) ?? 0
    LOOKALIKES.set(code, latin)
    const upper = like.toUpperCase()
    const upperCode = upper.codePointAt(0) ?? 0
    // The capital of some (of ſ and ı) is an ASCII letter, which passes for nothing but itself.
    if (upper.length === 1 && upperCode >= 128) LOOKALIKES.set(upperCode, latin)
  }
}
const UPPER_TABLE: Record<string, string> = {
  a: 'АΑ',
  b: 'ВΒ',
  c: 'СϹ',
  e: 'ЕΕ',
  h: 'НΗ',
  i: 'ІΙ',
  j: 'Ј',
  k: 'КΚ',
  m: 'МΜ',
  n: 'Ν',
  o: 'ОΟ',
  p: 'РΡ',
  s: 'Ѕ',
  t: 'ТΤ',
  x: 'ХΧ',
  y: 'УΥҮ',
  z: 'Ζ',
}
for (const [latin, likes] of Object.entries(UPPER_TABLE)) {
  for (const like of likes) LOOKALIKES.set(like.codePointAt(0) ?? 0, latin)
}

/** The ASCII letter, in lower case, that a character passes for. */
export function lookalike(code: number): string | undefined {
  return LOOKALIKES.get(code)
}
