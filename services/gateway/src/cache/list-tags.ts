const LISTS = new Set(['posts', 'hot', 'communities', 'suggestions'])

/** Tags of lists, which change with each publication; all others name one thing. */
export function isListTag(tag: string): boolean {
  return LISTS.has(tag) || tag.startsWith('community:') || tag.startsWith('hot:')
}
