import { findKeys, hashKey } from '@stoa/shared/identifiers/api-key.js'
import type { FieldText } from '../reading/field.ts'
import { originOf } from '../reading/layer.ts'
import type { Hit, HitRule } from './hit.ts'
import { isPlaceholder, isSequential } from './placeholder.ts'

const STOA_KEY: HitRule = {
  id: 'secret.stoa-api-key',
  version: 2,
  category: 'secret',
  severity: 'critical',
  group: 'secret.stoa-api-key',
  why: 'This is a Stoa API key, whole or without the end of its checksum, which follows from the rest: whoever reads the text can post as its owner.',
  fix: 'Remove the key. If it was live it has been revoked, unless it is the only one that you have: that still works, so make another with POST /api/v1/me/keys, then revoke this one with DELETE /api/v1/me/keys/{id}.',
}

/** Finds keys of this forum, plain or disguised, and adds their hashes to `hashes`. */
export function matchStoaKeys(field: FieldText, hashes: Set<string>): Hit[] {
  const hits: Hit[] = []
  for (const layer of [...field.exact, ...field.rendered]) {
    for (const key of findStoaKeys(layer.text)) {
      hashes.add(key.hash)
      const [start, end] = originOf(layer, key.start, key.end)
      const secret = layer.text.slice(key.start, key.end)
      const { chain } = layer
      hits.push({
        rule: STOA_KEY,
        field,
        start,
        end,
        chain,
        context: 'prose',
        score: 1,
        secret,
        cap: 'block',
      })
    }
  }
  return hits
}

type StoaKeySpan = { start: number; end: number; hash: string }

/** Every Stoa key with a whole secret, as UTF-16 spans with the whole key's SHA-256 in hex. */
export function findStoaKeys(text: string): StoaKeySpan[] {
  return findKeys(text)
    .filter(({ body, isChecked }) => isChecked || isDrawn(body))
    .map(({ start, end, key }) => ({ start, end, hash: hashKey(key).toString('hex') }))
}

/** Whether a body looks random: without its checksum, nothing else tells a key from a name. */
function isDrawn(body: string): boolean {
  const isMixed = [/[0-9]/, /[A-Z]/, /[a-z]/].every((kind) => kind.test(body))
  return isMixed && !isPlaceholder(body) && !isSequential(body)
}
