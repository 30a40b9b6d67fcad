import { isAppError, notFound } from '@stoa/shared/errors/errors.js'
import type { Site } from '../pages/links.ts'
import type { PageReader } from './page-reader.ts'

export interface PageRequest {
  path: Record<string, string>
  /** Only the parameters that the page takes, each at most once. */
  query: Record<string, string | undefined>
  reader: PageReader
  site: Site
}

/**
 * A page's text; or the path where the page is, and the text for a caller that is not redirected.
 */
export type PageResult = string | { redirect: string; text: () => string }

/** A bad id in the path of a page means that there is no such page. */
export function noSuchPage(error: unknown): never {
  throw isAppError(error) && error.code === 'validation_failed' ? notFound() : error
}
