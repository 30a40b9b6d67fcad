import type { RawAnswer } from '@stoa/shared/bus/bus.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import { findHits, hydrateHits, searchAll } from '@stoa/shared/contracts/search.js'
import { isAppError } from '@stoa/shared/errors/errors.js'
import type { Core } from '../core.ts'
import { parseAnswer } from '../downstream/ask.ts'

type SearchInput = InputOf<typeof searchAll>

/**
 * Answers a search. The index finds ids and their order, and content shows what of them is public;
 * where the index cannot be asked, content searches by itself and says `degraded`.
 */
export async function searchForum(
  { ask }: Pick<Core, 'ask'>,
  input: SearchInput,
  meta: Meta,
): Promise<RawAnswer> {
  const found = await readHits(ask, input, meta)
  return found ? ask(hydrateHits, { ...input, found }, meta) : ask(searchAll, input, meta)
}

/** Null where the index cannot be asked. Throws what is wrong with the question. */
async function readHits(ask: Core['ask'], input: SearchInput, meta: Meta) {
  try {
    return parseAnswer(findHits, await ask(findHits, input, meta))
  } catch (error) {
    if (!isAppError(error) || error.status < 500) throw error
    return null
  }
}
