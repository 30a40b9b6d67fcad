import { short } from '../figures/stats.mjs'

/** @typedef {{ label: string, parts: { name: string, value: number }[] }} Group */

const WIDTH = 860
const LABEL_WIDTH = 330
const VALUE_WIDTH = 70
const BAR = 14
const GAP = 12
const TOP = 58
/** Colours that readers who see few colours can tell apart (Okabe and Ito). */
const COLOURS = [
  ...['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999999', '#000000'],
  '#f0e442',
]

/**
 * Bars beside each other, one for each part of a group. Each group has its own scale, because a
 * reader compares the parts of one group.
 *
 * @param {{ title: string, unit: string, groups: Group[] }} chart
 * @returns {string} an SVG document
 */
export function groupedBars({ title, unit, groups }) {
  let y = TOP
  const rows = groups.map(({ label, parts }) => {
    const max = Math.max(...parts.map(({ value }) => value))
    const height = parts.length * (BAR + 2)
    const text = labelAt(label, y + height / 2 + 4)
    const bars = parts.map(({ name, value }, i) => {
      const width = (value / max) * (WIDTH - LABEL_WIDTH - VALUE_WIDTH)
      const top = y + i * (BAR + 2)
      return rectangle(LABEL_WIDTH, top, width, name, names(groups)) + valueAt(width, top, value)
    })
    y += height + GAP
    return text + bars.join('')
  })
  return document(title, unit, names(groups), rows.join(''), y)
}

/**
 * One bar per group, with its parts one after the other, all on one scale.
 *
 * @param {{ title: string, unit: string, groups: Group[] }} chart
 * @returns {string} an SVG document
 */
export function stackedBars({ title, unit, groups }) {
  const sum = (/** @type {Group} */ { parts }) => parts.reduce((all, { value }) => all + value, 0)
  const max = Math.max(...groups.map(sum))
  let y = TOP
  const rows = groups.map((group) => {
    let x = LABEL_WIDTH
    const bars = group.parts.map(({ name, value }) => {
      const width = (value / max) * (WIDTH - LABEL_WIDTH - VALUE_WIDTH)
      x += width
      return rectangle(x - width, y, width, name, names(groups))
    })
    const row = labelAt(group.label, y + BAR - 3) + bars.join('')
    const total = valueAt(x - LABEL_WIDTH, y, sum(group))
    y += BAR + GAP
    return row + total
  })
  return document(title, unit, names(groups), rows.join(''), y)
}

/** @param {Group[]} groups */
function names(groups) {
  return [...new Set(groups.flatMap(({ parts }) => parts.map(({ name }) => name)))]
}

/**
 * @param {string} title
 * @param {string} unit
 * @param {string[]} legend
 * @param {string} rows
 * @param {number} height
 */
function document(title, unit, legend, rows, height) {
  let x = 10
  const keys = legend.map((name) => {
    const at = x
    x += 26 + name.length * 7
    return `${rectangle(at, 30, 12, name, legend)}<text x="${at + 16}" y="41">${escaped(name)}</text>`
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ` +
    `font-family="sans-serif" font-size="12" fill="#222">` +
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>` +
    `<text x="10" y="18" font-size="14" font-weight="bold">${escaped(title)} (${escaped(unit)})</text>` +
    `${keys.join('')}${rows}</svg>\n`
  )
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {string} name
 * @param {string[]} all
 */
function rectangle(x, y, width, name, all) {
  const colour = COLOURS[all.indexOf(name) % COLOURS.length]
  const wide = Math.max(0, width).toFixed(1)
  return `<rect x="${x.toFixed(1)}" y="${y}" width="${wide}" height="${BAR}" fill="${colour}"/>`
}

/**
 * @param {string} label
 * @param {number} y
 */
function labelAt(label, y) {
  return `<text x="${LABEL_WIDTH - 8}" y="${y}" text-anchor="end">${escaped(label)}</text>`
}

/**
 * @param {number} width
 * @param {number} y
 * @param {number} value
 */
function valueAt(width, y, value) {
  return `<text x="${(LABEL_WIDTH + width + 6).toFixed(1)}" y="${y + BAR - 3}">${short(value)}</text>`
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
