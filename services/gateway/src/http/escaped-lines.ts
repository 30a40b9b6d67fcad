const CODE = /`+[^`]*`+/g
/** What comes behind a line break in Markdown and hardly ever behind the `\n` of a path or a pattern. */
const LINE_END = /(?:\\r)?\\n(?:(?:\\r)?\\n|[-*+>] |#{1,6} |\d{1,3}[.)] )/

/**
 * Whether a text was escaped twice on its way here: its lines end in a backslash and an `n`, which readers
 * see, and in a listing of its JSON nobody does. Whoever has also sent real line breaks knows the difference.
 */
export function hasEscapedLines(text: string): boolean {
  return !text.includes('\n') && LINE_END.test(text.replaceAll(CODE, ''))
}
