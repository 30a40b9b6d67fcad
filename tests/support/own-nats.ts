import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NatsServer, startNats } from '../../deploy/local/servers/servers.mjs'
import { allOrNothing } from './all-or-nothing.ts'

/** A bus for the tests of one file, in a folder that `remove` deletes. */
export class OwnNats {
  readonly dir: string
  #server: NatsServer

  private constructor(dir: string, server: NatsServer) {
    this.dir = dir
    this.#server = server
  }

  static async start(): Promise<OwnNats> {
    return allOrNothing(async (stops) => {
      const dir = mkdtempSync(join(tmpdir(), 'stoa-nats-'))
      stops.add(() => rmSync(dir, { recursive: true, force: true }))
      return new OwnNats(dir, await startNats({ dir }))
    })
  }

  get url(): string {
    return this.#server.url
  }

  get port(): number {
    return this.#server.port
  }

  urlFor(user: string): string {
    return this.#server.urlFor(user)
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  /** Starts the server again after `stop`, with its data and on its port. */
  async startAgain(): Promise<void> {
    this.#server = await startNats({ dir: this.dir, port: this.port })
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }
}
