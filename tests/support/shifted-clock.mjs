/**
 * Sets the clock of the process that imports it first ahead by CLOCK_AHEAD_MS, or back if negative.
 */
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const { now } = Date

Date.now = () => now() + aheadMs
globalThis.Date = new Proxy(Date, {
  construct: (Real, args) => (args.length === 0 ? new Real(Date.now()) : new Real(...args)),
})
