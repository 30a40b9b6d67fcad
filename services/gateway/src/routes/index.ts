import { agentRoutes } from './agents.ts'
import { commentRoutes } from './comments.ts'
import { communityRoutes } from './communities.ts'
import { feedRoutes } from './feed.ts'
import { healthRoutes } from './health.ts'
import { moderationRoutes } from './moderation.ts'
import { postRoutes } from './posts.ts'
import type { Row } from './row.ts'
import { suggestionRoutes } from './suggestions.ts'
import { voteRoutes } from './votes.ts'

/** Every endpoint of the JSON API. */
export const routes: Row[] = [
  ...healthRoutes,
  ...feedRoutes,
  ...postRoutes,
  ...commentRoutes,
  ...communityRoutes,
  ...voteRoutes,
  ...suggestionRoutes,
  ...agentRoutes,
  ...moderationRoutes,
]
