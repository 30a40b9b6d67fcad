/** Letters drawn like an ASCII letter, by the Unicode confusables data (UTS 39), lower case. */
const LOOKALIKES = new Map<number, string>()
const TABLE: Record<string, string> = {
  a: 'аɑα⍺ᴀ',
  b: 'ЬвʙᏏьƄ',
  c: 'сϲᴄⅽ',
  d: 'ԁɗᴅⅾꓒ',
  e: 'еҽєᴇ℮ε',
  f: 'ғꜰϝ',
  g: 'ɡցɢԍ',
  h: 'һнհʜ',
  i: 'іɩıɪιⅰӏ',
  j: 'јϳᴊ',
  k: 'кκᴋқ',
  l: 'ⅼʟ',
  m: 'мᴍⅿ',
  n: 'пոηɴռ',
  o: 'оοօᴏσ',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гʀᴦ',
  s: 'ѕꜱʂſ',
  t: 'тτᴛ',
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
    // The capitals of some (ſ and ı) are ASCII letters, which pass for nothing but themselves.
    if (upper.length === 1 && upperCode >= 128) LOOKALIKES.set(upperCode, latin)
  }
}
/** Greek capitals that are drawn like a Latin letter, unlike their small letters. */
const GREEK_CAPITALS = { b: 'Β', h: 'Η', m: 'Μ', n: 'Ν', y: 'Υ', z: 'Ζ' }

/**
 * Letters of other alphabets that are drawn like Latin ones: Cherokee, Canadian syllabics, Lisu,
 * Coptic, Runic, Tifinagh and ancient ones of Anatolia and Italy. Each case is listed by itself.
 */
const OTHER_ALPHABETS: Record<string, string> = {
  a: 'Ꭺᗅꓮꭺ𐊠',
  b: 'ᏴᏼᑲᖯᗷꓐꞴ𐊂𐊡𐌁',
  c: 'ᏟⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜',
  d: 'ᎠᏧᑯᗞᗪꓓꭰꮷ',
  e: 'Ꭼⴹꓰꭼ𐊆',
  f: 'ᖴꓝꞘꞙ𐊇𐊥𐔥',
  g: 'ᏀᏳᏻꓖꮐ',
  h: 'ᎻᏂᕼⲎꓧꮋꮒ𐋏',
  i: 'ᎥᛁⲒⵏꓲꭵ𐊊𐌉',
  j: 'ᎫᒍꓙꞲꭻ',
  k: 'ᏦᛕⲔꓗꮶ𐔘',
  l: 'ᏞᒪⳐꓡꮮ𐐛𐔦',
  m: 'ᎷᗰᛖⲘꓟꮇ𐊰𐌑',
  n: 'Ⲛꓠ𐔓',
  o: 'Ⲟⲟⵔꓳ𐊒𐊫𐐄𐐬𐓂𐓪𐔖',
  p: 'ᏢᑭⲢⲣꓑꮲ𐊕',
  q: 'ⵕ',
  r: 'ᎡᏒᖇⲅꓣꭱꮁꮢ𐒴',
  s: 'ᏕᏚꓢꮥꮪ𐊖𐐠𐑈',
  t: 'ᎢⲦꓔꭲ𐊗𐊱𐌕',
  u: 'ᑌꓴꞟ𐓎𐓶',
  v: 'Ꮩᐯⴸꓦꛟꮩ𐔝',
  w: 'ᎳᏔꓪꮃꮤ',
  x: 'ᕁᕽᚷⲬⵝꓫꞳ𐊐𐊴𐌗𐔧',
  y: 'ᎩᎽⲨꓬꭹꮍ𐊲',
  z: 'Ꮓꓜꮓ',
}

for (const table of [GREEK_CAPITALS, OTHER_ALPHABETS]) {
  for (const [latin, likes] of Object.entries(table)) {
    for (const like of likes) LOOKALIKES.set(like.codePointAt(0) ?? 0, latin)
  }
}

/** Letters in black circles and squares, which NFKD leaves alone: 🅐, 🅰. */
for (const first of [0x1f150, 0x1f170]) {
  for (let i = 0; i < 26; i++) LOOKALIKES.set(first + i, String.fromCharCode(97 + i))
}

/** The ASCII letter, in lower case, that a character passes for. */
export function lookalike(code: number): string | undefined {
  return LOOKALIKES.get(code)
}
