import type { Msg } from '@nats-io/nats-core'
import { errorFromWire, isUnanswered } from '../errors/errors.ts'
import { afterMs } from '../process/after-ms.ts'
import { isErrorReply } from './meta.ts'

/** Few answers take so long from a replica that neither hangs nor was killed with the request in hand. */
const PATIENCE_MS = 700
/** The bus asks any replica, so that the one that hangs may be met several times. */
const AGAIN_EVERY_MS = 200
/** Where every replica is slow, being asked again makes it slower. */
const AGAIN_AT_ONCE_MAX = 64

/** Asks by `ask`, which is given how many ms it may take. */
export type AskAgain = (ask: (withinMs: number) => Promise<Msg>, withinMs: number) => Promise<Msg>

/**
 * Asks what changes nothing again, of whichever replica takes it, for as long as nobody answers. The first
 * answer counts, and where there is none what became of the first question. Calls `onAgain` for each further
 * question.
 */
export function createAskAgain(onAgain: () => void): AskAgain {
  let underWay = 0
  return (ask, withinMs) =>
    new Promise((resolve, reject) => {
      const until = performance.now() + withinMs
      let isOver = false
      let timer = afterMs(PATIENCE_MS, askAgain)
      ask(withinMs).then(resolve, reject).finally(end)

      function askAgain(): void {
        const leftMs = until - performance.now()
        if (isOver || leftMs <= 0) return
        timer = afterMs(AGAIN_EVERY_MS, askAgain)
        if (underWay === AGAIN_AT_ONCE_MAX) return
        underWay++
        onAgain()
        ask(Math.min(PATIENCE_MS, leftMs))
          .then(take)
          .catch(() => {})
          .finally(() => underWay--)
      }

      function take(msg: Msg): void {
        if (saysNothing(msg)) return
        resolve(msg)
        end()
      }

      function end(): void {
        isOver = true
        clearTimeout(timer)
      }
    })
}

/** One that has too much to do, or too little time, says nothing of what another may answer yet. */
function saysNothing(msg: Msg): boolean {
  return isErrorReply(msg.headers) && isUnanswered(errorFromWire(msg.json()))
}
