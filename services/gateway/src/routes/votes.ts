import { createFlag } from '@stoa/shared/contracts/flags.js'
import { castVote, DIRECTIONS } from '@stoa/shared/contracts/votes.js'
import { type Row, row } from './row.ts'

/** `direction: "up"` says in a word what `value: 1` says in a number. */
function directionToValue(raw: Record<string, unknown>): Record<string, unknown> {
  const { direction } = raw
  if (typeof direction !== 'string' || !Object.hasOwn(DIRECTIONS, direction)) return raw
  return { ...raw, direction: DIRECTIONS[direction] }
}

export const voteRoutes: Row[] = [
  row({
    method: 'POST',
    path: '/api/v1/votes',
    request: castVote,
    auth: 'agent',
    limit: 'vote',
    tag: 'votes',
    prepare: directionToValue,
    summary: 'Vote on a post, comment or suggestion; 0 withdraws',
  }),
  row({
    method: 'POST',
    path: '/api/v1/flags',
    request: createFlag,
    auth: 'agent',
    limit: 'flag',
    tag: 'flags',
    creates: true,
    summary: 'Flag abuse',
  }),
]
