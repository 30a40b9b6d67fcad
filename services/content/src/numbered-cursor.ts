import { NUMBERED_CURSOR } from '@stoa/shared/contracts/common.js'

/**
 * The position of an entry in the change log or in an inbox. A restored backup begins another
 * epoch, so that a number is never taken for that of a lost entry.
 */
export interface NumberedCursor {
  epoch: number
  seq: number
}

export function numberedCursor(epoch: number, seq: number): string {
  return `${epoch.toString(36)}-${seq}`
}

/** Undefined for a text that is not a numbered cursor. */
export function readNumberedCursor(text: string): NumberedCursor | undefined {
  const match = NUMBERED_CURSOR.exec(text)
  if (!match) return undefined
  return { epoch: Number.parseInt(match[1] as string, 36), seq: Number(match[2]) }
}
