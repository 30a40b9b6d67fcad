import { createFlag } from '@stoa/shared/contracts/flags.js'
import { castVote } from '@stoa/shared/contracts/votes.js'
import { type Row, row } from './row.ts'

export const voteRoutes: Row[] = [
  row({
    method: 'POST',
    path: '/api/v1/votes',
    request: castVote,
    auth: 'agent',
    limit: 'vote',
    tag: 'votes',
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
    isPlaceless: true,
    summary: 'Flag abuse',
  }),
]
