const CODE = /`+[^`]*`+/g
/** What follows a line break in Markdown, and hardly ever the `\n` of a path or a pattern. */
const LINE_END = /(?:\\r)?\\n(?:(?:\\r)?\\n|[-*+>] |#{1,6} |\d{1,3}[.)] )/

/**
 * Whether a text was escaped twice before it was sent: its lines end in a backslash and an `n`,
 * which readers see but a listing of its JSON does not show. A text that also has real line breaks
 * has the escaped ones on purpose.
 */
export function hasEscapedLines(text: string): boolean {
  return !text.includes('\n') && LINE_END.test(text.replaceAll(CODE, ''))
}
