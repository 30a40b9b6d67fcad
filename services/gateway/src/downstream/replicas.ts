import { parseAnswer } from '@stoa/shared/bus/ask.js'
import type { Bus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { isLate, isUnheard } from '@stoa/shared/bus/replies.js'
import { ofOne, type ServiceName } from '@stoa/shared/contracts/contract.js'
import { type ServiceHealth, serviceHealth } from '@stoa/shared/contracts/health.js'
import type { Logger } from '@stoa/shared/process/logger.js'

/** The most replicas of one service that are asked one by one. */
const KNOWN_MAX = 64

/** The replicas of each service that this gateway knows of. */
export function createReplicas(bus: Bus, log: Logger) {
  const of = (name: ServiceName) => new Replicas(bus, name, log)
  return {
    content: of('content'),
    search: of('search'),
    ranking: of('ranking'),
    scanner: of('scanner'),
  }
}

/**
 * The replicas of one service, by the names in their answers. The bus gives a question to any
 * replica, so it would meet a hanging one only by chance; a question to a replica's own name always
 * does. A replica that is gone has left the bus, which says so at once.
 */
class Replicas {
  readonly #bus: Bus
  readonly #name: ServiceName
  readonly #log: Logger
  /** By name, whether each replica answered when it was last asked. */
  readonly #answered = new Map<string, boolean>()

  constructor(bus: Bus, name: ServiceName, log: Logger) {
    this.#bus = bus
    this.#name = name
    this.#log = log
  }

  /** Asks any replica for its health; that replica is known from then on. */
  async askAny(meta: Meta): Promise<ServiceHealth> {
    const answer = await this.#bus.requestRaw(serviceHealth[this.#name], {}, meta)
    const { replica } = answer.meta
    if (replica && !this.#answered.has(replica) && this.#answered.size < KNOWN_MAX) {
      this.#answered.set(replica, true)
    }
    return parseAnswer(answer)
  }

  /** Whether every known replica answers. If the bus itself hangs, all count as answering. */
  async allAnswer(meta: Meta, hasBus: Promise<boolean>): Promise<boolean> {
    const asked = [...this.#answered.keys()].map((replica) => this.#ask(replica, meta, hasBus))
    return (await Promise.all(asked)).every((isThere) => isThere)
  }

  async #ask(replica: string, meta: Meta, hasBus: Promise<boolean>): Promise<boolean> {
    try {
      await this.#bus.requestRaw(ofOne(serviceHealth[this.#name], replica), {}, meta)
    } catch (error) {
      if (isUnheard(error)) this.#answered.delete(replica)
      if (isLate(error) && (await hasBus)) return this.#note(replica, false)
      if (isLate(error) || isUnheard(error)) return true
    }
    return this.#note(replica, true)
  }

  /** Logs once when a replica starts to hang, and once when it answers again. */
  #note(replica: string, answers: boolean): boolean {
    const before = this.#answered.get(replica)
    if (before === undefined || before === answers) return answers
    this.#answered.set(replica, answers)
    const about = { downstream: this.#name, replica }
    if (answers) this.#log.info(about, 'a replica answers again')
    else this.#log.warn(about, 'a replica hangs')
    return answers
  }
}
