import { isLetter } from '../../ascii.ts'

/** Elements that only dress words, except those with an attribute of several words. */
const INLINE_ELEMENT =
  /<\/?(?:b|i|u|s|em|strong|code|span|mark|small|sub|sup|del|ins|kbd|font|a|br|p|div)(?![^<>]{0,200}["'](?:[^\s<>"']{1,80}\s){3})(?: [^<>]{0,200})?\/?>/
const EMPHASIS = /\*+|`+|~~|\b_{1,3}|_{1,3}\b/
const LINE_START = /^[ \t]*(?:>[ \t>]*(?:[-+] )?|(?:[-+|] |[0-9]{1,3}[.)] )(?:\[[ x]\] )?|#{1,6} )/
/** The line below a heading or the head of a table. */
const LINE_OF_SIGNS = /^[-=|:][-=|: ]{2,200}$/
const CELL_END = /[ \n]\|(?=[ \r\n])/
const LINK_START = /\[(?=[^[\]\n]{1,200}\][([])/
const REFERENCE = /\]\[[^[\]\n]{0,80}\]/
/** The address of a link stays if no word follows it, because rules ask where something is sent. */
const ADDRESS = /\]\((?:[^()\s]{1,200}\)(?= [a-z]))?/
const BLANK_REFERENCE =
  /&(?:nbsp|e[mn]sp|emsp1[34]|numsp|puncsp|thinsp|hairsp|tab|newline);|\\[nrt]/
/** Where a string continues in the next one, because its sentence is too long for a line. */
const STRING_SEAM =
  /["'] {0,8}(?:[+&.]{1,2} {0,8}(?:\r?\n)?|\\?\r?\n)[ \t]{0,40}(?:[+&.] {0,8})?["']/
/** Quotation marks around a single word, which is no speech. */
const QUOTED_WORD = /"[a-z]{1,20}"/
const MARKUP = new RegExp(
  [
    INLINE_ELEMENT,
    EMPHASIS,
    LINE_START,
    LINE_OF_SIGNS,
    CELL_END,
    LINK_START,
    REFERENCE,
    ADDRESS,
    BLANK_REFERENCE,
    STRING_SEAM,
    QUOTED_WORD,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/**
 * A text with blanks for the markup between its words, so that wording is found in bold, in code,
 * in the text of a link and over items of a list. Every character keeps its place.
 */
export function blankMarkup(text: string): string {
  return text.replace(MARKUP, blanksFor)
}

/** In `_ig_nore` the underscores are no emphasis, and rejoining the word needs them. */
const CUT_WORD = /^[a-z]{1,12}_[a-z]/
const CUT_WORD_LENGTH_MAX = 14

/** Blanks as long as the markup; a line break at its start and a quoted word stay. */
function blanksFor(markup: string, at: number, text: string): string {
  const end = at + markup.length
  if (markup.startsWith('_') && CUT_WORD.test(text.slice(end, end + CUT_WORD_LENGTH_MAX))) {
    return markup
  }
  if (isLetter(markup.charCodeAt(1)) && markup.startsWith('"')) return ` ${markup.slice(1, -1)} `
  return markup.startsWith('\n') ? `\n${' '.repeat(markup.length - 1)}` : ' '.repeat(markup.length)
}
