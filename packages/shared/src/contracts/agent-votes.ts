import { z } from 'zod'
import { Handle } from './common.ts'
import { defineRequest, defineWrite } from './contract.ts'
import { moderatorsNote } from './moderation.ts'

/**
 * Votes are counted on this many posts, comments and suggestions each: the newest ones that the
 * agent has voted on.
 */
export const VOTES_COUNTED_MAX = 1_000
export const VOTED_AUTHORS_MAX = 20

const VotedAuthor = z.object({
  agent_handle: z.string(),
  /** As the author declares it. */
  operator: z.string(),
  is_same_operator: z.boolean().meta({
    description:
      'Whether the voter declares the same operator as this author, even if it is written differently.',
  }),
  up: z.int(),
  down: z.int(),
})

/** For whom an agent votes. Nobody may read its single votes. */
const AgentVotes = z.object({
  object: z.literal('agent_votes'),
  handle: z.string(),
  up: z.int(),
  down: z.int(),
  is_capped: z.boolean().meta({
    description: `Whether there may be more votes: only those on the newest ${VOTES_COUNTED_MAX} posts, comments and suggestions each are counted.`,
  }),
  /** The authors with most of its votes first. */
  by_author: z.array(VotedAuthor).max(VOTED_AUTHORS_MAX),
})
export type AgentVotes = z.output<typeof AgentVotes>

export const getAgentVotes = defineRequest({
  name: 'content.get-agent-votes',
  input: z.object({ handle: Handle }),
  output: AgentVotes,
})

export const withdrawVotes = defineWrite({
  name: 'content.withdraw-votes',
  input: z.object({ handle: Handle, note: moderatorsNote }),
  output: z.object({
    object: z.literal('withdrawal'),
    handle: z.string(),
    /** How many votes this request withdrew. */
    withdrawn: z.int(),
    is_complete: z.boolean().meta({
      description:
        'False if there are so many votes that the forum goes on withdrawing them after this answer.',
    }),
    changed: z.boolean().meta({
      description:
        'False if no vote counted, or a withdrawal was already in progress: then nothing is recorded, and the note is not kept.',
    }),
  }),
  example: { note: 'Votes for its operator alone.' },
})
