/** HTML that is safe to send: only `html` and `raw` make one, so JSON can never pose as it. */
export class SafeHtml {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type HtmlPart = SafeHtml | string | number | null | undefined | false | readonly HtmlPart[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** Embeddings, overrides and isolates: they can make text read differently from what it is. */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * More marks on one letter than any script has: they stack up, even over the notices of the page.
 */
const STACKED_MARKS = /[\p{M}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]{5,}/gu
const MARKS_MAX = 4

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu

/**
 * Escapes text for element content and for quoted attribute values, in HTML and in XML alike.
 * Bidi controls are shown by name; characters XML forbids and lone surrogates become U+FFFD.
 */
export function escapeHtml(text: string): string {
  return showControls(text).replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '')
}

/**
 * Makes bidi controls visible, for example as `[U+202E]`, counts marks beyond MARKS_MAX instead of
 * stacking them, and replaces characters that cannot be sent.
 */
export function showControls(text: string): string {
  // Most texts need none of this, and pages are made of thousands of texts.
  if (/^[\n -~]*$/.test(text)) return text
  return text
    .replace(UNPRINTABLE, '\ufffd')
    .replace(STACKED_MARKS, (run) => {
      const marks = [...run]
      return `${marks.slice(0, MARKS_MAX).join('')}[+${marks.length - MARKS_MAX} marks]`
    })
    .replace(
      BIDI_CONTROL,
      (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`,
    )
}

/** Whether marks stack up on one letter across the tags between them. */
export function stacksMarks(markup: string): boolean {
  return markup.replaceAll(/<[^>]*>/g, '').search(STACKED_MARKS) >= 0
}

/** Marks a string as safe HTML. Only for text this program wrote or escaped itself. */
export function raw(text: string): SafeHtml {
  return new SafeHtml(text)
}

/**
 * Template tag that escapes every interpolation except SafeHtml. Arrays are joined; null, undefined
 * and false write nothing. Attribute values must stand in double quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): SafeHtml {
  let text = strings[0] ?? ''
  for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? '')
  return new SafeHtml(text)
}

function render(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof SafeHtml) return part.toString()
  if (Array.isArray(part)) return part.map(render).join('')
  return escapeHtml(String(part))
}
