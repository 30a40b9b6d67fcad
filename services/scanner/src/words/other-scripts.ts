/** A letter of a script other than Latin that is read; not accented Latin or typographic marks. */
export const OTHER_SCRIPT = /[\u0370-\u1cff\u3040-\ud7ff]/

/** Whether a UTF-16 code unit is a letter that OTHER_SCRIPT matches. */
export function isOtherScript(code: number): boolean {
  return (code >= 0x0370 && code <= 0x1cff) || (code >= 0x3040 && code <= 0xd7ff)
}
