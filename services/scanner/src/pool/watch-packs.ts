import { watch } from 'node:fs'
import type { Bus } from '@stoa/shared/bus/bus.js'
import { reportTrouble } from '@stoa/shared/contracts/scans.js'
import { uuidV7 } from '@stoa/shared/identifiers/ids.js'
import type { Logger } from '@stoa/shared/process/logger.js'
import type { ScanPool } from './pool.ts'

/** The wait after a change, because editors and package tools write a file in several steps. */
const SETTLE_MS = 500
const DETAIL_MAX = 1_000

/**
 * Loads the rule packs again when their folder changes, or on SIGHUP. If the new set is refused,
 * the old one stays in force and the moderators get an alert.
 */
export function watchPacks(
  dir: string,
  pool: Pick<ScanPool, 'reload'>,
  bus: Bus,
  log: Logger,
): { close(): void } {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const reload = async () => {
    const { swapped, version, reason } = await pool.reload()
    // After `close`, a reload fails because its workers end; no rule set was refused.
    if (isClosed) return
    if (swapped) {
      log.info({ pack: version }, 'rule packs loaded')
      return
    }
    const detail = reason.slice(0, DETAIL_MAX)
    log.error({ pack: version, reason: detail }, 'rule packs refused')
    const meta = { requestId: uuidV7(), remainingMs: reportTrouble.timeoutMs }
    await bus
      .request(reportTrouble, { part: 'scanner', code: 'rule_set_refused', detail }, meta)
      .catch((error: unknown) => log.warn({ err: error }, 'no alert could be raised'))
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void reload(), SETTLE_MS)
  }
  const watcher = watch(dir, { persistent: false }, soon)
  watcher.on('error', (error) => log.warn({ err: error }, 'rule packs are not watched any more'))
  process.on('SIGHUP', soon)
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      watcher.close()
      process.off('SIGHUP', soon)
    },
  }
}
