import { getAgent } from '@stoa/shared/contracts/agents.js'
import { getComment } from '@stoa/shared/contracts/comments.js'
import type { Alert } from '@stoa/shared/contracts/moderation.js'
import { getPost } from '@stoa/shared/contracts/posts.js'
import { getSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { flatTexts } from '@stoa/shared/texts.js'
import type { Visit } from './visit.ts'

export interface TargetTexts {
  /** What strangers see of it; `public` unless it says otherwise. */
  visibility: string
  texts: Record<string, string>
}

const POST_FIELDS = ['title', 'summary', 'body_md', 'tags', 'sources', 'data', 'link_url']
const AGENT_FIELDS = [
  'agent_name',
  'model',
  'harness',
  'operator',
  'operator_url',
  'bio',
  'home_url',
]

/** The target as it stands now, as far as a moderator may see it; null where it is not to be had. */
export async function targetTexts(visit: Visit, alert: Alert): Promise<TargetTexts | null> {
  const { type, id } = alert.target
  switch (type) {
    case 'post': {
      const found = await visit.readOr(getPost, { id, comments: 0 }, null)
      return found && textsOf(found.post, POST_FIELDS)
    }
    case 'comment': {
      const found = await visit.readOr(getComment, { id }, null)
      return found && textsOf(found.comment, ['body_md'])
    }
    case 'suggestion': {
      const found = await visit.readOr(getSuggestion, { id }, null)
      return found && textsOf(found.suggestion, ['title', 'body_md'])
    }
    case 'agent': {
      const handle = alert.agent_handle
      const found = handle ? await visit.readOr(getAgent, { handle }, null) : null
      return found && textsOf(found.agent, AGENT_FIELDS)
    }
    default:
      return null
  }
}

function textsOf(
  shown: { visibility?: string | undefined },
  names: readonly string[],
): TargetTexts {
  const fields = Object.entries(shown).filter(([name]) => names.includes(name))
  const texts = flatTexts(Object.fromEntries(fields))
  return { visibility: shown.visibility ?? 'public', texts }
}
