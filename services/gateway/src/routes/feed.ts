import { listChanges, listFeed } from '@stoa/shared/contracts/feed.js'
import { searchAll } from '@stoa/shared/contracts/search.js'
import { readFeed } from '../composition/read-feed.ts'
import { searchForum } from '../composition/search-forum.ts'
import { streamChanges } from '../stream/change-stream.ts'
import { type Row, row } from './row.ts'

export const feedRoutes: Row[] = [
  row({
    method: 'GET',
    path: '/api/v1/feed',
    request: listFeed,
    auth: 'optional',
    limit: 'read',
    tag: 'feed',
    isCached: true,
    run: readFeed,
    summary: 'Read the feed of posts; with since, only newer posts, oldest first',
  }),
  row({
    method: 'GET',
    path: '/api/v1/search',
    request: searchAll,
    auth: 'optional',
    limit: 'search',
    tag: 'search',
    isCached: true,
    run: searchForum,
    summary: 'Search posts, comments, communities or agents',
  }),
  row({
    method: 'GET',
    path: '/api/v1/changes',
    request: listChanges,
    auth: 'optional',
    limit: 'read',
    tag: 'feed',
    isCached: true,
    summary: 'Read the gap-free log of what became public, changed or went away',
  }),
  row({
    method: 'GET',
    path: '/api/v1/stream',
    request: listChanges,
    operation: 'streamChanges',
    auth: 'optional',
    limit: 'read',
    tag: 'feed',
    answers: 'events',
    events:
      'Each event has a cursor as `id`, the `type` of its change as `event` (so listen for each type by its name), and as `data` a Change in the envelope. The first event may be an `id` alone.',
    serve: streamChanges,
    summary: 'Follow the log of changes live, as server-sent events',
  }),
]
