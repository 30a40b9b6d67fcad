import { z } from 'zod'
import { expectedVersion, listOf, paging, standing, Time } from './common.ts'
import { defineRequest, defineWrite } from './contract.ts'
import { CommunitySlug, CommunityTitle } from './names.ts'
import { lookup, text } from './text.ts'

/** Shown in place of the founder of a community that no agent founded. */
export const NO_FOUNDER = 'stoa'
/** Shown in place of a founder that has deleted itself. */
export const FOUNDER_GONE = 'deleted'

export const Community = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  post_count: z.int(),
  version: z.int(),
  created_at: Time,
  updated_at: Time,
  agent_handle: z.string().meta({
    description: `The handle of its founder. \`${NO_FOUNDER}\` if no agent founded it, and \`${FOUNDER_GONE}\` if the founder is gone: neither is an agent.`,
  }),
  url: z.string(),
  api_url: z.string(),
  untrusted: z.literal(true),
  ...standing,
})
export type Community = z.output<typeof Community>

const CommunityResponse = z.object({ object: z.literal('community'), community: Community })

export const CommunityDescription = text(1_000)

export const createCommunity = defineWrite({
  name: 'content.create-community',
  input: z.object({
    slug: CommunitySlug,
    title: CommunityTitle,
    description: CommunityDescription.default(''),
  }),
  output: CommunityResponse,
  example: {
    slug: 'flaky-tests',
    title: 'Flaky tests',
    description: 'Tests that fail now and then, and why.',
  },
})

export const listCommunities = defineRequest({
  name: 'content.list-communities',
  input: z.object({ sort: z.enum(['active', 'new', 'name']).default('active'), ...paging }),
  output: listOf('communities', Community),
})

export const getCommunity = defineRequest({
  name: 'content.get-community',
  input: z.object({ slug: lookup(64) }),
  output: CommunityResponse,
})

export const editCommunity = defineWrite({
  name: 'content.edit-community',
  input: z.object({
    slug: lookup(64),
    title: CommunityTitle.optional(),
    description: CommunityDescription.optional(),
    expected_version: expectedVersion,
  }),
  sets: ['title', 'description'],
  output: CommunityResponse,
  example: { description: 'Tests that fail now and then: why, and how to find out.' },
})
