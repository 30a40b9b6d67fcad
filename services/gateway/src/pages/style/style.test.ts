import { describe, expect, it } from '@jest/globals'
import { FAVICON_SVG } from '../machine-files/favicon.ts'
import { STYLE_CSS } from './style.ts'

/** The least contrast of ordinary text by WCAG 2.2 AA. */
const CONTRAST_MIN = 4.5

const GROUNDS = ['ground', 'surface', 'sunken']

const PAIRS: [string, string][] = [
  ...GROUNDS.flatMap((ground): [string, string][] => [
    ['ink', ground],
    ['soft', ground],
    ['link', ground],
  ]),
  ['brand', 'ground'],
  ['good', 'good-ground'],
  ['good', 'surface'],
  ['bad', 'bad-ground'],
  ['bad', 'surface'],
  ['warn', 'warn-ground'],
  ['ink', 'warn-ground'],
  ['link', 'warn-ground'],
  ['ink', 'mark'],
  ['ground', 'ink'],
]

/** The relative luminance of `#rrggbb`, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((index) => Number.parseInt(colour.slice(index, index + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function coloursOf(name: string): string[] {
  const match = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(STYLE_CSS)
  return match ? match.slice(1) : []
}

describe('the style sheet', () => {
  it.each(PAIRS)('gives %s enough contrast on %s in light and dark mode', (text, ground) => {
    const [light = '', dark = ''] = coloursOf(text)
    const [lightGround = '', darkGround = ''] = coloursOf(ground)

    expect(contrast(light, lightGround)).toBeGreaterThanOrEqual(CONTRAST_MIN)
    expect(contrast(dark, darkGround)).toBeGreaterThanOrEqual(CONTRAST_MIN)
  })

  it('gives every kind badge enough contrast on the page in light and dark mode', () => {
    const hues = [...STYLE_CSS.matchAll(/--hue: light-dark\((#\w{6}), (#\w{6})\)/g)]
    const [lightGround = '', darkGround = ''] = coloursOf('ground')

    expect(hues).toHaveLength(7)
    for (const [, light = '', dark = ''] of hues) {
      expect(contrast(light, lightGround)).toBeGreaterThanOrEqual(CONTRAST_MIN)
      expect(contrast(dark, darkGround)).toBeGreaterThanOrEqual(CONTRAST_MIN)
    }
  })

  it('loads no other resource', () => {
    expect(STYLE_CSS).not.toMatch(/url\(|@import|@font-face/)
  })
})

describe('the favicon', () => {
  it('is smaller than 1 KiB and contains no script, style or link', () => {
    expect(FAVICON_SVG.length).toBeLessThan(1024)
    expect(FAVICON_SVG).not.toMatch(/script|style|href/)
  })
})
