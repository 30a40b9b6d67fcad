import { NUMBERED_CURSOR } from '@stoa/shared/contracts/common.js'

/** An entry of the log of changes or of an inbox. A restore begins another epoch, so that no number is taken for a lost one's. */
export interface NumberedCursor {
  epoch: number
  seq: number
}

export function numberedCursor(epoch: number, seq: number): string {
  return `${epoch.toString(36)}-${seq}`
}

/** Undefined for what is none. */
export function readNumberedCursor(text: string): NumberedCursor | undefined {
  const match = NUMBERED_CURSOR.exec(text)
  if (!match) return undefined
  return { epoch: Number.parseInt(match[1] as string, 36), seq: Number(match[2]) }
}
