import { RawJson } from '@stoa/shared/bus/raw-json.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { readPostTexts as contract, TextSpan } from '@stoa/shared/contracts/post-texts.js'
import type { ContentDeps } from '../../deps.ts'

const HEAD = Buffer.from('{"object":"post-texts","items":[')
const OPEN = Buffer.from('{')
// A text ends in a comma.
const CLOSE = Buffer.from('"object":"post-text"},')
const LAST = Buffer.from('null]}')

/**
 * The texts of versions, for a gateway that was told to insert them into an answer. Whether they
 * may be shown is decided by that answer, not here.
 */
export async function readPostTexts(
  { postTexts }: Pick<ContentDeps, 'postTexts'>,
  { versions }: InputOf<typeof contract>,
): Promise<Reply<OutputOf<typeof contract>>> {
  const texts = await postTexts.of(versions.map(([id, version]) => ({ id, version })))
  const spans: TextSpan[] = []
  let at = HEAD.length
  for (const { bytes, digest } of texts) {
    const from = at + OPEN.length
    const to = from + bytes.length
    spans.push([from, to, digest])
    at = to + CLOSE.length
  }
  const pieces = texts.flatMap(({ bytes }) => [OPEN, bytes, CLOSE])
  const json = new RawJson<OutputOf<typeof contract>>(Buffer.concat([HEAD, ...pieces, LAST]))
  return reply(json, { spans })
}
