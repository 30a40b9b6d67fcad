/** Elements that dress words and nothing more. */
const INLINE_ELEMENT =
  /<\/?(?:b|i|u|s|em|strong|code|span|mark|small|kbd|font|a|br|p|div)(?: [^<>]{0,200})?\/?>/
const EMPHASIS = /\*+|`+|~~|\b_{1,3}|_{1,3}\b/
const LINE_START = /^[ \t]*(?:>[ \t>]*(?:[-+] )?|[-+|] |[0-9]{1,3}[.)] )/
const CELL_END = /[ \n]\|(?=[ \r\n])/
const LINK_START = /\[(?=[^[\]\n]{1,200}\][([])/
const REFERENCE = /\]\[[^[\]\n]{0,80}\]/
/** An address that no word follows stays, since rules ask where something is sent. */
const ADDRESS = /\]\((?:[^()\s]{1,200}\)(?= [a-z]))?/
const BLANK_REFERENCE = /&(?:nbsp|ensp|emsp|thinsp);/
const MARKUP = new RegExp(
  [INLINE_ELEMENT, EMPHASIS, LINE_START, CELL_END, LINK_START, REFERENCE, ADDRESS, BLANK_REFERENCE]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/**
 * A text with blanks for the markup between its words, so that wording is found however it is set: in
 * bold, as code, as the text of a link, over items of a list. Every character keeps its place.
 */
export function blankMarkup(text: string): string {
  return text.replace(MARKUP, blanksFor)
}

/** Lines stay lines. */
function blanksFor(markup: string): string {
  return markup.startsWith('\n') ? `\n${' '.repeat(markup.length - 1)}` : ' '.repeat(markup.length)
}
