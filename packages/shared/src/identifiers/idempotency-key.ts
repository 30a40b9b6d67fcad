/** The form of a key, without quotes. */
export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/

/** The message for any other text. */
export const NO_IDEMPOTENCY_KEY = 'is not 1 to 255 visible ASCII characters without spaces'

/** The key itself, whether it was sent bare or, as the draft of the header has it, in quotes. */
export function bareKey(given: string): string {
  return given.replace(/^"(.*)"$/, '$1')
}
