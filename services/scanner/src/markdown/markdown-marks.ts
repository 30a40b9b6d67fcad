/** The bits that say how Markdown reads a UTF-16 unit of a text; prose is 0. */
export const MARK = {
  code: 1,
  quote: 2,
  comment: 4,
  html: 8,
  url: 16,
  spoken: 32,
  /** Text after the language on the first line of a fence. */
  info: 64,
} as const

export type Marks = Uint8Array

export function paint(marks: Marks, start: number, end: number, bit: number): void {
  const stop = Math.min(end, marks.length)
  for (let index = Math.max(0, start); index < stop; index++)
    marks[index] = (marks[index] ?? 0) | bit
}
