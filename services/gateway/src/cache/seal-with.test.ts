import { describe, expect, it } from '@jest/globals'
import type { TextPlace } from '@stoa/shared/contracts/post-texts.js'
import type { Warning } from '@stoa/shared/errors/errors.js'
import { ENVELOPE_FIELDS } from '../http/envelope.ts'
import { type Answered, fingerprint, sealWith, withWarnings } from './seal-with.ts'

const plain: Answered = { json: Buffer.from('{"object":"feed","count":0}'), meta: {} }

const WARNINGS: Warning[] = [{ code: 'ignored', name: 'body' }]

const JSON_WITH_GAPS = '{"object":"feed","items":[{"score":1},{"score":2}]}'
const places = [...JSON_WITH_GAPS.matchAll(/\{"score"/g)].map(
  ({ index }, i): TextPlace => [index + 1, `pst_${i}`, 1, ''],
)

/** An answer with the given texts for its places. */
function filled(...texts: string[]): Answered {
  return {
    json: Buffer.from(JSON_WITH_GAPS),
    meta: { texts: places },
    texts: texts.map((text) => ({ bytes: Buffer.from(`"text":"${text}",`), digest: text })),
  }
}

describe('sealWith', () => {
  it('puts the envelope and further fields around the JSON of an answer', () => {
    const answer = withWarnings({ ...plain, fields: { degraded: true } }, WARNINGS)

    expect(JSON.parse(sealWith(answer).toString())).toEqual({
      ...ENVELOPE_FIELDS,
      warnings: WARNINGS,
      degraded: true,
      object: 'feed',
      count: 0,
    })
  })

  it('adds only the envelope if there are no further fields', () => {
    expect(JSON.parse(sealWith(withWarnings(plain, [])).toString())).toEqual({
      ...ENVELOPE_FIELDS,
      object: 'feed',
      count: 0,
    })
  })

  it('puts texts at their places, whatever fields are before them', () => {
    const sealed = sealWith({ ...filled('one', 'zwei ✓'), fields: { degraded: true } })

    expect(JSON.parse(sealed.toString())).toEqual({
      ...ENVELOPE_FIELDS,
      degraded: true,
      object: 'feed',
      items: [
        { text: 'one', score: 1 },
        { text: 'zwei ✓', score: 2 },
      ],
    })
  })
})

describe('the fingerprint of an answer', () => {
  it('differs if any part of the answer differs', () => {
    const answers = [
      fingerprint(filled('one', 'two')),
      fingerprint(filled('two', 'one')),
      fingerprint(filled('one', 'three')),
      fingerprint({ ...filled('one', 'two'), fields: { degraded: true } }),
      fingerprint(withWarnings(filled('one', 'two'), WARNINGS)),
      fingerprint({ ...filled('one', 'two'), json: Buffer.from(JSON_WITH_GAPS.replace('2', '3')) }),
    ]

    expect(new Set(answers.map(String)).size).toBe(answers.length)
    expect(fingerprint(filled('one', 'two'))).toEqual(answers[0])
  })

  it('exists only for an answer with texts', () => {
    expect(fingerprint(plain)).toBeUndefined()
  })
})
