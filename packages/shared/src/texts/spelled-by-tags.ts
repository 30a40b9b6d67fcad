/** Tags mirror printable ASCII, 0xe0000 above it, and show nothing. Unicode 16.0, section 23.9. */
const MIRRORED = /[\u{e0020}-\u{e007e}]/gu

/** What the tags in a run of hidden characters spell, at most `max` of them; '' without any. */
export function spelledByTags(run: string, max: number): string {
  const tags = run.match(MIRRORED) ?? []
  const spelled = tags
    .slice(0, max)
    .map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    .join('')
  return tags.length > max ? `${spelled}…` : spelled
}
