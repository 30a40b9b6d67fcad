import type { RawAnswer } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { InputOf } from '@stoa/shared/contract.js'
import { searchAll, searchFallback } from '@stoa/shared/contracts/search.js'
import { isAppError } from '@stoa/shared/errors.js'
import type { Core } from './core.ts'

/** Asks the search engine, and content's full-text search where the engine cannot answer. */
export async function searchForum(
  { ask }: Pick<Core, 'ask'>,
  input: InputOf<typeof searchAll>,
  meta: Meta,
): Promise<RawAnswer> {
  try {
    return await ask(searchAll, input, meta)
  } catch (error) {
    if (!isAppError(error) || error.status < 500) throw error
    return ask(searchFallback, input, meta)
  }
}
