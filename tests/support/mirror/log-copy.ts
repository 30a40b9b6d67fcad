import { call, type Json } from '../agent.ts'
import { type EventSource, listen } from '../event-source.ts'
import { eventually } from '../eventually.ts'

/** A copy of the forum by id, made from the change log alone. */
export class LogCopy {
  readonly items = new Map<string, Json>()
  /** The ids of everything that was ever published. */
  readonly published = new Set<string>()
  cursor = ''

  async apply(change: Json): Promise<void> {
    if (change.type.endsWith('.published')) this.published.add(change.target_id)
    const shown = change[change.target_type]
    const about = { is: change.target_type, of: change.post_id }
    if (shown) this.items.set(change.target_id, { ...about, ...shown })
    else this.items.delete(change.target_id)
    this.cursor = change.cursor
  }
}

/** A follower that asks for pages of the log, each of a few lines. */
export class PageFollower {
  readonly copy: LogCopy
  readonly #url: string
  #cursor = ''

  constructor(forumUrl: string, copy = new LogCopy(), filter = '') {
    this.copy = copy
    this.#url = `${forumUrl}/api/v1/changes?fields=full&limit=40&${filter}&after=`
  }

  /** Reads on until there is no more. */
  async advance(): Promise<void> {
    for (;;) {
      const { body, status, text } = await call('GET', this.#url + this.#cursor)
      if (status !== 200) throw new Error(text)
      for (const change of body.items) await this.copy.apply(change)
      this.#cursor = body.next_cursor
      if (!body.has_more) return
    }
  }

  /**
   * Reads until the line with this number, again and again because pages of the log are cached for
   * a second.
   */
  async reach(seq: number): Promise<void> {
    await eventually('the log is read to its end', async () => {
      await this.advance()
      return this.#cursor.endsWith(`-${seq}`)
    })
  }
}

/**
 * A follower of the live stream from the beginning of the log, which resumes where it was cut off.
 */
export class StreamFollower {
  readonly copy: LogCopy
  readonly #url: string
  #source: EventSource
  #applied = 0

  private constructor(url: string, source: EventSource, copy: LogCopy) {
    this.#url = url
    this.#source = source
    this.copy = copy
  }

  static async of(forumUrl: string, copy = new LogCopy(), filter = ''): Promise<StreamFollower> {
    // A stream without a place begins at the end of the log.
    const { body } = await call('GET', `${forumUrl}/api/v1/changes?after=now`)
    const start = body.next_cursor.replace(/-\d+$/, '-0')
    const url = `${forumUrl}/api/v1/stream?fields=full&${filter}`
    copy.cursor = start
    return new StreamFollower(url, await listen(url, { lastEventId: start }), copy)
  }

  /** Takes what was received, and listens again if the stream has ended. */
  async advance(): Promise<void> {
    const { received, state } = this.#source
    for (const { data } of received.slice(this.#applied)) {
      await this.copy.apply(data)
      this.#applied++
    }
    if (!state.hasEnded) return
    this.#source = await listen(this.#url, { lastEventId: this.copy.cursor })
    this.#applied = 0
  }

  async reach(seq: number): Promise<void> {
    await eventually('the stream has told of everything', async () => {
      await this.advance()
      return this.copy.cursor.endsWith(`-${seq}`)
    })
  }

  close(): void {
    this.#source.close()
  }
}
