/** What a key may be, without the quotes. */
export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/

/** The key itself, whether it was sent bare or, as the draft of the header has it, in quotes. */
export function bareKey(given: string): string {
  return given.replace(/^"(.*)"$/, '$1')
}
