import { jetstream } from '@nats-io/jetstream'
import { type Bus, connectBus } from '@stoa/shared/bus/bus.js'
import { type Consuming, consume } from '@stoa/shared/bus/consume.js'
import { cloudEvent } from '@stoa/shared/bus/events.js'
import { answer, reply, serve } from '@stoa/shared/bus/serve.js'
import { STREAMS } from '@stoa/shared/bus/streams.js'
import {
  type CaseVerdict,
  type FullFinding,
  getSubmissions,
  SCANNER_DURABLE,
  type SubmissionTexts,
  scanCompleted,
  scanRequested,
  scanSubmission,
} from '@stoa/shared/contracts/scans.js'
import type { Verdict } from '@stoa/shared/contracts/verdicts.js'
import { AppError } from '@stoa/shared/errors/errors.js'
import { hashKey, parseKey } from '@stoa/shared/identifiers/api-key.js'
import { createLogger } from '@stoa/shared/process/logger.js'

/**
 * Words in a text that decide the test scanner's verdict on it; without one, it allows the text.
 */
const MARKERS: Record<string, Verdict> = {
  FLAGME: 'flag',
  QUARANTINEME: 'quarantine',
  BLOCKME: 'block',
}

const META = { requestId: 'test-scanner', remainingMs: 5_000 }
const KEY = /stoa_[0-9A-Za-z]{50}/g
const SECRET = /SECRET-\w+/g

/** Stands in for the scanner: the same contract, the same bus, verdicts by marker words. */
export class TestScanner {
  /** While this is set, nothing is decided: events wait, and early scans are refused. */
  #held: Promise<void> | undefined
  #release = () => {}
  #isStopped = false
  readonly scanned: string[] = []
  readonly askedEarly: SubmissionTexts[] = []
  /**
   * Answers the request to scan a text that is not stored yet; refused while the scanner is held.
   */
  onEarly: (texts: SubmissionTexts) => CaseVerdict | Promise<CaseVerdict> = this.scanEarly
  readonly #bus: Bus
  readonly #consuming: Consuming

  static async start(natsUrl: string): Promise<TestScanner> {
    const bus = await connectBus('scanner', natsUrl)
    let scanner: TestScanner | undefined
    const log = createLogger('test-scanner', 'silent')
    const consuming = await consume({
      bus,
      log,
      stream: STREAMS.scan.name,
      durable: SCANNER_DURABLE,
      filter: scanRequested.subject,
      event: scanRequested,
      batchMax: 1,
      handle: async (events) => {
        const cases = events.flatMap(({ data }) => data.cases)
        await scanner?.scan(cases.map(({ case_id }) => case_id))
      },
    })
    scanner = new TestScanner(bus, consuming)
    const early = answer(scanSubmission, async (deps: TestScanner, texts) => {
      deps.askedEarly.push(texts)
      return reply(await deps.onEarly(texts))
    })
    await serve(bus, scanner, [early], log)
    return scanner
  }

  constructor(bus: Bus, consuming: Consuming) {
    this.#bus = bus
    this.#consuming = consuming
  }

  /** Whether the scanner decides nothing at the moment. */
  get isAway(): boolean {
    return this.#isStopped || this.#held !== undefined
  }

  hold(): void {
    this.#held ??= new Promise((resolve) => {
      this.#release = resolve
    })
  }

  release(): void {
    this.#held = undefined
    this.#release()
  }

  scanEarly(texts: SubmissionTexts): CaseVerdict {
    if (this.isAway) throw new AppError('unavailable', { retry_after_seconds: 1 })
    this.scanned.push(texts.case_id)
    return verdictOn(texts)
  }

  async scan(caseIds: string[]): Promise<void> {
    await this.#held
    const items = await this.texts([...new Set(caseIds)])
    const js = jetstream(this.#bus.nc)
    for (const item of items) {
      this.scanned.push(item.case_id)
      const event = cloudEvent(scanCompleted, 'scanner', item.case_id, {
        verdicts: [verdictOn(item)],
      })
      await js.publish(scanCompleted.subject, JSON.stringify(event), { msgID: event.id })
    }
  }

  /** The texts of those of these cases that wait for their scans. */
  async texts(caseIds: string[]): Promise<SubmissionTexts[]> {
    const { items } = await this.#bus.request(getSubmissions, { case_ids: caseIds }, META)
    return items
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.release()
    await this.#consuming.stop()
    await this.#bus.close()
  }
}

export function verdictOn({ case_id, revision, fields }: SubmissionTexts): CaseVerdict {
  const text = Object.values(fields).join('\n')
  const hashes = (text.match(KEY) ?? [])
    .filter((key) => parseKey(key).ok)
    .map((key) => hashKey(key).toString('hex'))
  const [marker, verdict] = Object.entries(MARKERS).find(([word]) => text.includes(word)) ?? []
  const worst: Verdict = hashes.length > 0 ? 'block' : (verdict ?? 'allow')
  const findings = worst === 'allow' ? [] : [finding(fields, marker ?? 'stoa_', worst)]
  return {
    case_id,
    revision,
    verdict: worst,
    pack: 'test-1',
    categories: worst === 'allow' ? [] : ['test'],
    findings,
    writer_findings: findings.map(({ rule, category, field, why, fix }) => ({
      rule,
      category,
      field,
      why,
      fix,
    })),
    redactions: Object.entries(fields).flatMap(([field, value]) =>
      [...value.matchAll(KEY), ...value.matchAll(SECRET)].map((match) => ({
        field,
        start: match.index,
        end: match.index + match[0].length,
      })),
    ),
    key_hashes: hashes,
  }
}

function finding(fields: Record<string, string>, word: string, action: Verdict): FullFinding {
  const field = Object.keys(fields).find((name) => fields[name]?.includes(word)) ?? 'body_md'
  return {
    rule: 'test/marker',
    rule_version: 1,
    category: 'test',
    severity: 'high',
    action,
    field,
    start: 0,
    end: word.length,
    redacted_excerpt: word,
    decode_chain: [],
    why: 'It holds a marker word of the tests.',
    fix: 'Leave the marker word out.',
    context: 'prose',
    score: 1,
  }
}
