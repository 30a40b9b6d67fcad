import { describe, expect, it } from '@jest/globals'
import { hostileTexts } from './evaluate/hostile-texts.ts'
import { randomText } from './evaluate/random-text.ts'
import { scanText, shippedRules } from './testing/test-rules.ts'
import { mulberry32 } from './train/logistic.ts'

const TEXTS = 1_500

describe('scanText on generated texts', () => {
  it('gives only findings that lie within the text', () => {
    const keywords = shippedRules().byKeyword.map((entry) => entry.keyword)
    const random = mulberry32(7)
    let found = 0
    for (let index = 0; index < TEXTS; index++) {
      const text = randomText(random, keywords)
      const length = [...text].length
      for (const { start, end } of scanText(text).findings) {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(end).toBeGreaterThanOrEqual(start)
        expect(end).toBeLessThanOrEqual(length)
        found++
      }
    }
    expect(found).toBeGreaterThan(TEXTS)
  })

  it('gives a verdict on texts that are built to be slow', () => {
    for (const { text } of hostileTexts(shippedRules().byKeyword.map((entry) => entry.keyword))) {
      expect(['allow', 'flag', 'quarantine', 'block']).toContain(scanText(text).verdict)
    }
  })
})
