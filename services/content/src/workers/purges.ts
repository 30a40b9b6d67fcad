import type { ContentDeps } from '../deps.ts'
import { endPurge, purgeAgent } from '../visibility/purge-agent.ts'
import { inTurn } from './in-turn.ts'
import { startLoop, type Worker } from './loop.ts'

type Deps = Pick<ContentDeps, 'db' | 'log' | 'notices' | 'hot' | 'baseUrl'>

const TURN_MS = 2_000
/**
 * Writers hardly wait for a purge, because each thing is taken down in a transaction of its own.
 */
const BETWEEN_MS = 500

/**
 * Takes down what deleted agents wrote if their requests had no time for it. Looks for such agents
 * every `restMs`, and also rests this long after one of which something cannot be taken down;
 * otherwise it goes on after BETWEEN_MS, because readers still see the rest.
 */
export function startPurges(deps: Deps, restMs: number): Pick<Worker, 'close'> {
  const purge = async (id: string) => {
    const untilMs = performance.now() + TURN_MS
    const isGone = await purgeAgent(deps, id, untilMs)
    if (isGone) await endPurge(deps, id)
    return isGone || performance.now() >= untilMs
  }
  const turn = inTurn(BETWEEN_MS, (last) => nextPurging(deps, last), purge)
  return startLoop('purge', restMs, deps.log, turn)
}

/** The next deleted agent whose texts its own request had no time to take down. */
async function nextPurging({ db }: Deps, last: string): Promise<string | undefined> {
  const [agent] = await db.read((query) =>
    query.rows<{ id: string }>(
      'purging-agent',
      'SELECT id FROM agents WHERE purging AND id > $1 ORDER BY id LIMIT 1',
      [last],
    ),
  )
  return agent?.id
}
