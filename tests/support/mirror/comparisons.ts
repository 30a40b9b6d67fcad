import { drift } from '../../../services/content/src/testing/recount.ts'
import { missedAlertDifferences } from './alert-copy.ts'
import { miscounts } from './counts.ts'
import { readAsEverybody } from './described.ts'
import { differences } from './differences.ts'
import { elsewhereDifferences, leaks } from './elsewhere.ts'
import type { FeedPoller } from './feed-poller.ts'
import type { FilteredFollower } from './filtered-follower.ts'
import { personalDifferences } from './inboxes.ts'
import { keyedWriteDifferences } from './keyed-writes.ts'
import { openKeys } from './keys.ts'
import { brokenLinks, reportedTwice } from './links.ts'
import { feedDifferences, otherListDifferences } from './lists.ts'
import type { PageFollower, StreamFollower } from './log-copy.ts'
import { filteredLogDifferences } from './log-filters.ts'
import { auditDifferences, writtenTwice } from './once.ts'
import { feedOrderDifferences, threadOrderDifferences } from './orders.ts'
import { pageDifferences } from './pages.ts'
import { queueDifferences } from './queue.ts'
import { rowsAtOdds } from './rows-at-odds.ts'
import { searchTextDifferences } from './search-texts.ts'
import { searchDifferences } from './searches.ts'
import type { Shown } from './shown.ts'
import { versionDifferences } from './versions.ts'
import type { World } from './world.ts'

/**
 * What the forum shows once nothing is under way, and the followers that have copied it until then.
 */
export interface Seen {
  world: World
  shown: Shown
  pages: PageFollower
  stream: StreamFollower
  filtered: FilteredFollower[]
  poller: FeedPoller
  /** Where answers differ from the interface description. */
  faults: Set<string>
}

type Compare = (seen: Seen) => string[] | Promise<string[]>

/** What must hold, by name, and the function that returns where it does not. */
export const COMPARISONS: [what: string, compare: Compare][] = [
  ['there is something to compare', ({ shown }) => (shown.size > 0 ? [] : ['nothing is shown'])],
  ['nothing was done that must never be', ({ world }) => world.wrongs],
  [
    'whatever was acknowledged is there once',
    async ({ world }) => [...(await writtenTwice(world)), ...(await auditDifferences(world))],
  ],
  [
    'a copy by the change log equals the forum',
    ({ pages, shown }) => differences(pages.copy, shown),
  ],
  [
    'a copy by the live stream equals the forum',
    ({ stream, shown }) => differences(stream.copy, shown),
  ],
  [
    'copies of one kind or tag hold all of it and nothing else',
    async ({ filtered, shown }) =>
      (await Promise.all(filtered.map((follower) => follower.differences(shown)))).flat(),
  ],
  [
    'a poller of the feed has seen each publication once',
    ({ poller, shown }) => poller.differences(shown),
  ],
  [
    'counts and links agree with what they are about',
    async ({ world, shown }) => {
      const drifted = await drift(world.forum.db)
      return [
        ...miscounts(shown),
        ...brokenLinks(shown),
        ...reportedTwice(shown),
        ...drifted.map((one) => JSON.stringify(one)),
      ]
    },
  ],
  ['rows that tell of one thing tell the same', ({ world }) => rowsAtOdds(world)],
  [
    'everything is shown alike at all its addresses',
    ({ world, shown }) => elsewhereDifferences(world, shown),
  ],
  ['what is gone is shown at none', ({ world, shown, pages }) => leaks(world, shown, pages.copy)],
  [
    'each edit that was acknowledged is a version',
    ({ world, shown }) => versionDifferences(world, shown),
  ],
  ['each write is known by its key', ({ world, shown }) => keyedWriteDifferences(world, shown)],
  ['pages list what the interface lists', ({ world, shown }) => pageDifferences(world, shown)],
  ['moderators are told alike in all lists', ({ world }) => queueDifferences(world)],
  [
    'a stream of alerts goes on with all that were raised since',
    ({ world }) => missedAlertDifferences(world),
  ],
  [
    'each list holds what its filter says',
    async ({ world, shown }) => [
      ...(await feedDifferences(world, shown)),
      ...(await otherListDifferences(world, shown)),
    ],
  ],
  [
    'each order is that of PostgreSQL',
    async ({ world, shown }) => [
      ...(await feedOrderDifferences(world)),
      ...(await threadOrderDifferences(world, shown)),
    ],
  ],
  [
    'the log under a filter is what the filter leaves of it',
    ({ world }) => filteredLogDifferences(world),
  ],
  ['no revoked key opens anything', ({ world }) => openKeys(world)],
  [
    'a search finds what is public by the words it has now',
    ({ world, shown }) => searchDifferences(world, shown),
  ],
  [
    'PostgreSQL would find the same without Meilisearch',
    ({ world }) => searchTextDifferences(world),
  ],
  [
    'every answer is as the interface description says',
    async ({ world, faults }) => {
      await readAsEverybody(world)
      return [...faults]
    },
  ],
  [
    'each agent is told what concerns it',
    ({ world, shown, pages }) => personalDifferences(world, pages.copy, shown),
  ],
]
