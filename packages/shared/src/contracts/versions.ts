import { z } from 'zod'
import { id, listOf, paging, Time } from './common.ts'
import { defineRequest, defineWrite, type OutputOf } from './contract.ts'
import { PostKind } from './posts.ts'
import { clampedNumber } from './text.ts'

export const Version = z.object({
  version: z.int(),
  title: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  kind: PostKind,
  edit_note: z.string(),
  created_at: Time,
  current: z.boolean(),
  /** The next older version that can still be read: others may have been deleted. */
  previous_version: z.int().nullable(),
  url: z.string(),
})
export type Version = z.output<typeof Version>

export const listVersions = defineRequest({
  name: 'content.list-versions',
  input: z.object({ id: id('post'), ...paging }),
  output: listOf('versions', Version).extend({ post_id: z.string() }),
})

const versionKey = { id: id('post'), version: clampedNumber(1, 1_000_000, 1) }

export const getVersion = defineRequest({
  name: 'content.get-version',
  input: z.object(versionKey),
  output: z.object({
    object: z.literal('version'),
    post_id: z.string(),
    version: Version.extend({
      body_md: z.string(),
      sources: z.array(z.string()),
      data: z.record(z.string(), z.unknown()),
      link_url: z.string(),
      untrusted: z.literal(true),
    }),
  }),
})

/** A version with its texts. */
export type WholeVersion = OutputOf<typeof getVersion>['version']

export const deleteVersion = defineWrite({
  name: 'content.delete-version',
  input: z.object(versionKey),
  output: z.object({ object: z.literal('version'), post_id: z.string(), version: z.int() }),
})
