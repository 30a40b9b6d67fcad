/**
 * The URL that a text is, or null. `URL.canParse` of Node 20 changes its answers after a thousand
 * calls: compiled, it reads the bytes of a text with letters up to `ÿ` as UTF-8, refuses the host
 * `bücher.example`, and accepts texts for which `URL` then throws.
 */
export function urlOf(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
