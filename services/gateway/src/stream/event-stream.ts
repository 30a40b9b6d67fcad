import { AppError, type FieldError, type Warning } from '@stoa/shared/errors/errors.js'
import { EVERY_RESPONSE, type Exchange, ownHeaders } from '../http/exchange.ts'
import { whenOver } from '../http/when-over.ts'

/** A reader that takes nothing for this long is cut off; it resumes with Last-Event-ID. */
const UNREAD_MS_MAX = 30_000
const HEARTBEAT_MS = 15_000

/** The id of the last event that a resuming reader has seen; some send an empty one for none. */
export function lastEventId({ req }: Exchange): string | undefined {
  const given = req.headers['last-event-id']
  return typeof given === 'string' && given !== '' ? given : undefined
}

/**
 * The error names the header, because readers that resume by themselves may not know that they send
 * it, and may send `after` too.
 */
export function noEventId(refusal = new AppError('invalid_cursor')): AppError {
  const errors: FieldError[] = [
    {
      pointer: 'Last-Event-ID:',
      code: 'invalid_format',
      message: 'is not the id of an event of this stream',
    },
  ]
  return new AppError('invalid_cursor', { ...refusal.details, errors }, { cause: refusal })
}

interface ServerEvent {
  id: string
  event: string
  /** Serialized JSON, which holds no line break. */
  data: string
}

/**
 * A response of server-sent events (HTML Living Standard, 9.2), kept alive by comments. Senders
 * wait for the reader, so a stream holds at most one event more than the socket takes.
 */
export class EventStream {
  readonly #exchange: Exchange
  readonly #unreadMsMax: number
  readonly #onClose: (() => void)[] = []
  /** Lets the sender that waits for the reader go on. */
  #goOn = () => {}

  constructor(exchange: Exchange, unreadMsMax = UNREAD_MS_MAX) {
    this.#exchange = exchange
    this.#unreadMsMax = unreadMsMax
    // If the reader left before the stream began, `close` was emitted before this listener.
    if (!this.isOpen) return
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
    const heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS)
    this.#onClose.push(() => clearInterval(heartbeat))
    whenOver(exchange, () => {
      this.#goOn()
      for (const run of this.#onClose) run()
    })
  }

  get isOpen(): boolean {
    const { req, res } = this.#exchange
    return !res.destroyed && !res.writableEnded && !req.socket.destroyed
  }

  onClose(run: () => void): void {
    if (this.isOpen) this.#onClose.push(run)
    else run()
  }

  /** Resolves once the next event may be sent, or the stream is closed. */
  async send({ id, event, data }: ServerEvent): Promise<void> {
    if (!this.isOpen) return
    const text = `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`
    if (!this.#exchange.res.write(text)) await this.#taken()
  }

  /**
   * Tells the reader its position without an event, so that a reader cut off before the first event
   * resumes from there.
   */
  mark(id: string): void {
    if (this.isOpen) this.#exchange.res.write(`id: ${id}\n\n`)
  }

  /**
   * Sends warnings in a comment: a person who debugs sees it, and no reader takes it for an event.
   */
  warn(warnings: readonly Warning[]): void {
    if (warnings.length > 0 && this.isOpen) {
      this.#exchange.res.write(`: ${JSON.stringify({ warnings })}\n\n`)
    }
  }

  end(): void {
    this.#exchange.res.end()
  }

  #taken(): Promise<void> {
    const { res } = this.#exchange
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(deadline)
        res.off('drain', settle)
        resolve()
      }
      const deadline = setTimeout(() => {
        res.destroy()
        settle()
      }, this.#unreadMsMax)
      res.on('drain', settle)
      this.#goOn = settle
    })
  }

  #beat(): void {
    const { res } = this.#exchange
    if (this.isOpen && !res.writableNeedDrain) res.write(': still here\n\n')
  }
}
