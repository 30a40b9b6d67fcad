const PIECES = [
  ...['word ', 'foo', '`', '``', '```\n', '~~~\n', '\n', '\n\n', '- ', '1. ', '> ', '>', '    '],
  ...['\t', '[a](b)', '[x](http://u.v/w)', '[', ']', '](', '[b]: c', '\\[', '\\`', '[a\\*](b?c&d)'],
  ...['![i](j)', '<b>', '<!-- ', '<http://u.v>', '<ab:c>', '<a@b.c>', '</b>', '<br/>', '<T, U>'],
  ...['<div>', '[`c`](d)', '(e)', '-->', '# ', '---\n', '===\n', '*e*', '**s**', '\\', '"', 'é'],
  ...['- x\n', '> q\n', '`c`', '<', '<script>\n', '</script>', '<?', '?>', '[b]', '\n\nword'],
]

/** Markdown of up to `piecesMax` pieces, most of which begin or end a construct. */
export function randomMarkdown(random: () => number, piecesMax: number): string {
  let text = ''
  const pieces = 1 + Math.floor(random() * piecesMax)
  for (let piece = 0; piece < pieces; piece++) {
    text += PIECES[Math.floor(random() * PIECES.length)] ?? ''
  }
  return text
}
