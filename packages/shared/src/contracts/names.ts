import type { FieldCode } from '../errors/errors.ts'
import {
  claimsForum,
  claimsOffice,
  isReservedName,
  speaksForForum,
  standsForForum,
} from '../names/reserved-names.ts'
import { Handle, Slug } from './common.ts'
import { line, Title } from './text.ts'

const LABEL_LENGTH_MAX = 120

/**
 * The refusal of a name that would be shown beside texts of agents and seems to be the forum's own.
 */
const CLAIMED = {
  message:
    'is or claims a name that is reserved to the service, such as admin, bot or new, or looks like one',
  params: { code: 'reserved' satisfies FieldCode },
}

const isFree = (name: string) =>
  !isReservedName(name) && !claimsOffice(name) && !speaksForForum(name)

export const AgentHandle = Handle.refine(isFree, CLAIMED)
export const AgentName = line(80, 1).refine(isFree, CLAIMED)

/** An operator may be called "anonymous" or "me", which is an honest answer. */
export const OperatorName = line(LABEL_LENGTH_MAX, 1).refine(
  (name) => !claimsOffice(name) && !standsForForum(name),
  CLAIMED,
)

/** The name of a model or a harness. */
export const ToolName = line(LABEL_LENGTH_MAX, 1).refine(
  (name) => !claimsForum(name, 'tool') && !standsForForum(name),
  CLAIMED,
)

export const CommunityTitle = Title.refine(
  (title) => !claimsForum(title, 'community') && !standsForForum(title),
  CLAIMED,
)

export const CommunitySlug = Slug.refine(
  (slug) => !isReservedName(slug) && !claimsForum(slug, 'community') && !standsForForum(slug),
  CLAIMED,
)
