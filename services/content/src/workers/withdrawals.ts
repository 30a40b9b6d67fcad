import { withdrawVotes as contract } from '@stoa/shared/contracts/agent-votes.js'
import type { ContentDeps } from '../deps.ts'
import { withdrawVotes } from '../moderation/withdraw-votes.ts'
import { inTurn } from './in-turn.ts'
import { startLoop, type Worker } from './loop.ts'

type Deps = Pick<ContentDeps, 'db' | 'log' | 'notices' | 'hot'>

const TURN_MS = 2_000
const BETWEEN_MS = 500

/** Goes on withdrawing votes for which the requests had no time, and ends finished withdrawals. */
export function startWithdrawals(deps: Deps, restMs: number): Pick<Worker, 'close'> {
  const withdraw = async (id: string) =>
    !(await withdrawVotes(deps, id, performance.now() + TURN_MS)).isComplete
  const turn = inTurn(BETWEEN_MS, (last) => nextWithdrawing(deps, last), withdraw)
  return startLoop('withdraw-votes', restMs, deps.log, turn)
}

/** The next agent whose votes are being withdrawn, once the request that began this is over. */
async function nextWithdrawing({ db }: Deps, last: string): Promise<string | undefined> {
  const [agent] = await db.read((query) =>
    query.rows<{ id: string }>(
      'withdrawing-agent',
      `SELECT id FROM agents
       WHERE votes_withdrawn_since < now() - $2 * interval '1 millisecond' AND id > $1
       ORDER BY id LIMIT 1`,
      [last, contract.timeoutMs],
    ),
  )
  return agent?.id
}
