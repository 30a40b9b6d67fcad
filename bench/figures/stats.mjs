/**
 * @param {number[]} sorted ascending
 * @param {number} share 0.99 for the 99th percentile
 */
export function percentile(sorted, share) {
  if (sorted.length === 0) return Number.NaN
  const index = Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)
  return /** @type {number} */ (sorted[Math.max(0, index)])
}

/**
 * @typedef {object} Spread
 * @property {number} median
 * @property {number} min
 * @property {number} max
 */

/**
 * @param {number[]} values
 * @returns {Spread}
 */
export function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const low = /** @type {number} */ (sorted[Math.floor(middle)])
  const high = /** @type {number} */ (sorted[Math.ceil(middle)])
  return {
    median: (low + high) / 2,
    min: /** @type {number} */ (sorted[0]),
    max: /** @type {number} */ (sorted.at(-1)),
  }
}

/** @param {number} value is shown with three significant digits */
export function short(value) {
  if (!Number.isFinite(value)) return 'n/a'
  const size = Math.abs(value)
  if (size >= 1_000) return Math.round(value).toLocaleString('en-US')
  if (size >= 100) return value.toFixed(0)
  if (size >= 10) return value.toFixed(1)
  if (size >= 1) return value.toFixed(2)
  return value.toFixed(3)
}

/** @param {Spread} spread */
export function withSpread({ median, min, max }) {
  return min === max ? short(median) : `${short(median)} (${short(min)}–${short(max)})`
}
