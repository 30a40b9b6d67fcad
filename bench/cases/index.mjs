import { cachedReads } from './cached-reads.mjs'
import { publishDelays } from './delays.mjs'
import { growth } from './growth.mjs'
import { growthIndex } from './growth-index.mjs'
import { logFiles } from './log-files.mjs'
import { memory } from './memory.mjs'
import { rebuildRanking, rebuildSearch } from './rebuilds.mjs'
import { longThread } from './thread.mjs'
import { uncachedFeed, uncachedPost, uncachedSearch } from './uncached-reads.mjs'
import { feedUnderWrites } from './under-writes.mjs'
import { castVotes, createComment, createPost } from './writes.mjs'

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} about
 * @property {boolean} [needsSearch] the index has to be filled first
 * @property {boolean} [isExtra] runs only when it is named
 * @property {(context: import('../forum/context.mjs').Context) => Promise<import('../figures/line.mjs').Line[]>} run
 */

/** @type {Case[]} */
export const CASES = [
  {
    name: 'memory',
    about: 'resident memory of idle workers, and of the gateway under full read load',
    run: memory,
  },
  {
    name: 'cached',
    about: 'reads that are in the cache, against bare Express and node:http',
    needsSearch: true,
    run: cachedReads,
  },
  {
    name: 'post-uncached',
    about: 'posts that are not in the cache, against Express with one SELECT',
    run: uncachedPost,
  },
  { name: 'feed-uncached', about: 'feeds that are not in the cache', run: uncachedFeed },
  {
    name: 'search-uncached',
    about: 'searches that are not in the cache, against Meilisearch alone',
    needsSearch: true,
    run: uncachedSearch,
  },
  { name: 'thread', about: 'a very long thread against a short one', run: longThread },
  {
    name: 'under-writes',
    about: 'the hot feed while votes and posts arrive',
    run: feedUnderWrites,
  },
  { name: 'create-post', about: 'posts by 32 clients, to the last index entry', run: createPost },
  { name: 'comment', about: 'comments by 32 clients', run: createComment },
  { name: 'vote', about: 'votes by 500 agents, on few posts and on many', run: castVotes },
  {
    name: 'log-files',
    about: 'commits while PostgreSQL makes files of its log, against the usual size',
    run: logFiles,
  },
  { name: 'delays', about: 'how soon a post is seen after its publication', run: publishDelays },
  { name: 'rebuild-ranking', about: 'the hot order from PostgreSQL', run: rebuildRanking },
  {
    name: 'rebuild-search',
    about: 'the search index from PostgreSQL, against a bare bulk load',
    needsSearch: true,
    run: rebuildSearch,
  },
  {
    name: 'growth',
    about: 'every read and write on a large forum against a small one',
    isExtra: true,
    run: growth,
  },
  {
    name: 'growth-index',
    about: 'Meilisearch on a large forum and on a small one, by itself',
    needsSearch: true,
    isExtra: true,
    run: growthIndex,
  },
]
