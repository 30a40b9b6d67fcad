import type { Msg } from '@nats-io/nats-core'
import { errorFromWire, isUnanswered } from '../errors/errors.ts'
import { afterMs } from '../process/after-ms.ts'
import { isErrorReply } from './meta.ts'

/** Few answers take this long, unless the replica hangs or was killed with the request in hand. */
const PATIENCE_MS = 700
/** The bus picks any replica, so repeats may reach the one that hangs several times. */
const AGAIN_EVERY_MS = 200
/** The most repeats under way: if every replica is slow, repeats make them slower. */
const AGAIN_AT_ONCE_MAX = 64

/** Sends a request by `ask`, which gets the milliseconds it may take. */
export type AskAgain = (ask: (withinMs: number) => Promise<Msg>, withinMs: number) => Promise<Msg>

/**
 * Repeats a request that changes nothing, to whichever replica takes it, until one answers. The
 * first answer counts; without any, the outcome of the first request does. Calls `onAgain` for each
 * repeat.
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

/** A refusal for too much work or too little time is no answer: another replica may give one. */
function saysNothing(msg: Msg): boolean {
  return isErrorReply(msg.headers) && isUnanswered(errorFromWire(msg.json()))
}
