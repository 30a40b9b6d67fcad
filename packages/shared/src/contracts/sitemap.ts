import { z } from 'zod'
import { defineRequest } from './contract.ts'
import { clampedNumber, optionalClampedNumber, TIME_MAX } from './text.ts'

/**
 * A sitemap may hold 50,000 addresses (sitemaps.org); this many are read quickly, in one answer.
 */
export const SITEMAP_POSTS = 2_000
/** The most ends found for one request. */
export const SITEMAP_ENDS_MAX = 100

/**
 * The ends of the sitemaps of public posts that begin after a time: publication times in
 * milliseconds, each with SITEMAP_POSTS posts since the one before and at least one post after it.
 */
export const divideSitemap = defineRequest({
  name: 'content.divide-sitemap',
  input: z.object({ after: z.int().min(0).max(TIME_MAX) }),
  output: z.object({ object: z.literal('sitemap_ends'), ends: z.array(z.int()) }),
})

export interface SitemapPost {
  id: string
  community_slug: string
  /** When its page last changed: by an edit or a comment. */
  changed_at: string
}

/** The public posts published after one end and up to another; up to now without `until`. */
export const readSitemap = defineRequest({
  name: 'content.read-sitemap',
  input: z.object({
    after: clampedNumber(0, TIME_MAX, 0),
    until: optionalClampedNumber(0, TIME_MAX),
  }),
  output: z.custom<{ object: 'sitemap'; items: SitemapPost[] }>(),
})
