import { EVERY_RESPONSE, type Exchange, ownHeaders } from '../http/exchange.ts'

/** A reader that leaves more than this unread is cut off; it resumes with Last-Event-ID. */
export const UNREAD_BYTES_MAX = 256 * 1_024
const HEARTBEAT_MS = 15_000

export interface ServerEvent {
  id?: string
  event: string
  /** Serialized JSON, which holds no line break. */
  data: string
}

/** A response of server-sent events (HTML Living Standard, 9.2), kept alive by comments. */
export class EventStream {
  readonly #exchange: Exchange
  readonly #heartbeat: NodeJS.Timeout
  readonly #onClose: (() => void)[] = []

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    const { res } = exchange
    res.writeHead(200, [
      'Content-Type',
      'text/event-stream; charset=utf-8',
      'Cache-Control',
      'no-store',
      'X-Accel-Buffering',
      'no',
      ...EVERY_RESPONSE,
      ...ownHeaders(exchange),
    ])
    if (exchange.req.method === 'HEAD') res.end()
    else res.write('retry: 2000\n\n')
    this.#heartbeat = setInterval(() => this.#write(': still here\n\n'), HEARTBEAT_MS)
    res.on('close', () => {
      clearInterval(this.#heartbeat)
      for (const run of this.#onClose) run()
    })
  }

  get isOpen(): boolean {
    return !this.#exchange.res.destroyed && !this.#exchange.res.writableEnded
  }

  onClose(run: () => void): void {
    if (this.isOpen) this.#onClose.push(run)
    else run()
  }

  send({ id, event, data }: ServerEvent): void {
    this.#write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`)
  }

  end(): void {
    this.#exchange.res.end()
  }

  #write(text: string): void {
    if (!this.isOpen) return
    const { res } = this.#exchange
    res.write(text)
    if (res.writableLength > UNREAD_BYTES_MAX) res.destroy()
  }
}
