import { openObject } from '@stoa/shared/answers/json-pieces.js'
import type { RawAnswer } from '@stoa/shared/bus/ask.js'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { RawJson } from '@stoa/shared/bus/raw-json.js'
import type { InputOf } from '@stoa/shared/contracts/contract.js'
import { findHits, hydrateHits, searchAll } from '@stoa/shared/contracts/search.js'
import { isServerError } from '@stoa/shared/errors/errors.js'
import type { Core } from '../core.ts'

type SearchInput = InputOf<typeof searchAll>

/**
 * Answers a search. The index finds ids and their order, and content shows those that are public;
 * if the index cannot be asked, content searches by itself and says `degraded`.
 */
export async function searchForum(
  { ask }: Pick<Core, 'ask'>,
  input: SearchInput,
  meta: Meta,
): Promise<RawAnswer> {
  const found = await readHits(ask, input, meta)
  return found ? ask(hydrateHits, withFound(input, found), meta) : ask(searchAll, input, meta)
}

/** Hands the hits on as the bytes that came. */
function withFound(input: SearchInput, found: Uint8Array): RawJson<InputOf<typeof hydrateHits>> {
  return new RawJson(Buffer.concat([Buffer.from(`${openObject(input)}"found":`), found, END]))
}

const END = Buffer.from('}')

/** The hits; null if the index cannot be asked. Throws what is wrong with the question. */
async function readHits(ask: Core['ask'], input: SearchInput, meta: Meta) {
  try {
    return (await ask(findHits, input, meta)).json
  } catch (error) {
    if (!isServerError(error)) throw error
    return null
  }
}
