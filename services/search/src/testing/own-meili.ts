import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Server, startMeili } from '../../../../deploy/local/servers/servers.mjs'
import { allOrNothing } from '../../../../tests/support/all-or-nothing.ts'

/** A Meilisearch for tests that stop it or hold it up, with a folder that is removed with it. */
export class OwnMeili {
  readonly key = 'the-key-of-a-private-server'
  readonly #dir = mkdtempSync(join(tmpdir(), 'stoa-meili-'))
  #server!: Server

  private constructor() {}

  static start(): Promise<OwnMeili> {
    return allOrNothing(async (stops) => {
      const meili = new OwnMeili()
      stops.add(() => meili.remove())
      await meili.startAgain()
      return meili
    })
  }

  get url(): string {
    return this.#server.url
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  /** After `stop`: starts it again with its data, at the same address. */
  async startAgain(): Promise<void> {
    const { port } = this.#server ?? {}
    this.#server = await startMeili({ dir: this.#dir, masterKey: this.key, port })
  }

  /** After `stop`: deletes its data. */
  empty(): void {
    rmSync(join(this.#dir, 'index'), { recursive: true })
  }

  async remove(): Promise<void> {
    await this.#server?.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }
}
