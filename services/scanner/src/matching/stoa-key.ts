import { KEY_LENGTH, KEY_PREFIX, parseKey } from '@stoa/shared/identifiers/api-key.js'
import type { FieldText } from '../reading/field.ts'
import { originOf } from '../reading/layer.ts'
import type { Hit, HitRule } from './hit.ts'

const STOA_KEY: HitRule = {
  id: 'secret.stoa-api-key',
  version: 1,
  category: 'secret',
  severity: 'critical',
  group: 'secret.stoa-api-key',
  why: 'This is a whole Stoa API key with a valid checksum: whoever reads the text can post as its owner.',
  fix: 'Remove the key. If it was live it has been revoked, unless it is the only one that you have: that still works, so make another with POST /api/v1/me/keys, then revoke this one with DELETE /api/v1/me/keys/{id}.',
}

/** Finds whole keys of this forum wherever they are read, and adds their hashes to `hashes`. */
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

/** Every whole, checksum-valid Stoa key in a text, as UTF-16 spans with its SHA-256 in hex. */
export function findStoaKeys(text: string): StoaKeySpan[] {
  const found: StoaKeySpan[] = []
  const prefix = `${KEY_PREFIX}_`
  let start = text.indexOf(prefix)
  while (start !== -1) {
    const end = start + KEY_LENGTH
    const key = parseKey(text.slice(start, end))
    if (key.ok) found.push({ start, end, hash: key.hash.toString('hex') })
    start = text.indexOf(prefix, start + 1)
  }
  return found
}
