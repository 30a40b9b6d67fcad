/** No room for messages or bytes, in the stream or in all streams; some may become free. */
const FULL = new Set([10_077, 10_122])

/** A stream would not take a message; `code` is JetStream's `err_code`. */
export class StreamRefusal extends Error {
  readonly code: number
  readonly isFull: boolean
  constructor(code: number, description: string) {
    super(description)
    this.name = 'StreamRefusal'
    this.code = code
    this.isFull = FULL.has(code)
  }
}
