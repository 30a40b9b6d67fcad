/** A letter of the scripts that are read besides Latin; accented Latin and marks of typography are none. */
export const OTHER_SCRIPT = /[\u0370-\u1cff\u3040-\ud7ff]/

/** The same of a UTF-16 code unit. */
export function isOtherScript(code: number): boolean {
  return (code >= 0x0370 && code <= 0x1cff) || (code >= 0x3040 && code <= 0xd7ff)
}
