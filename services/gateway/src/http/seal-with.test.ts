import { describe, expect, it } from '@jest/globals'
import { ENVELOPE_FIELDS } from '@stoa/shared/envelope.js'
import { sealWith } from './seal-with.ts'

const data = Buffer.from('{"object":"feed","count":0}')

describe('sealing', () => {
  it('puts the envelope and further fields around bytes', () => {
    expect(JSON.parse(sealWith(data, { warnings: [1] }).toString())).toEqual({
      ...ENVELOPE_FIELDS,
      warnings: [1],
      object: 'feed',
      count: 0,
    })
  })

  it('adds nothing where there is nothing to add', () => {
    expect(Object.keys(JSON.parse(sealWith(data, {}).toString()))).not.toContain('warnings')
  })
})
