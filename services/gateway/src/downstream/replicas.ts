import { parseAnswer } from '@stoa/shared/bus/ask.js'
import type { Bus } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { isLate, isUnheard } from '@stoa/shared/bus/replies.js'
import { ofOne, type ServiceName } from '@stoa/shared/contracts/contract.js'
import { type ServiceHealth, serviceHealth } from '@stoa/shared/contracts/health.js'
import type { Logger } from '@stoa/shared/process/logger.js'

/** More of one service are not asked one by one. */
const KNOWN_MAX = 64

/** Of each service the replicas that this gateway knows of. */
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
 * Replicas of one service, by the names that came with their answers. The bus gives a question to any of
 * them, and one that hangs would be met by chance; asked by its name it is met each time. One that is gone
 * has left the bus, which says so at once.
 */
class Replicas {
  readonly #bus: Bus
  readonly #name: ServiceName
  readonly #log: Logger
  /** Whether each answered when it was asked last. */
  readonly #answered = new Map<string, boolean>()

  constructor(bus: Bus, name: ServiceName, log: Logger) {
    this.#bus = bus
    this.#name = name
    this.#log = log
  }

  /** What any of them says, which is known from then on. */
  async askAny(meta: Meta): Promise<ServiceHealth> {
    const answer = await this.#bus.requestRaw(serviceHealth[this.#name], {}, meta)
    const { replica } = answer.meta
    if (replica && !this.#answered.has(replica) && this.#answered.size < KNOWN_MAX) {
      this.#answered.set(replica, true)
    }
    return parseAnswer(answer)
  }

  /** Whether each that is known answers. Of a bus that hangs nothing is to be learned. */
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

  /** Says each turn once. */
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
