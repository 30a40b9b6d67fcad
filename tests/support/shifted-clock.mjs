/** Imported first by a process, sets its clock ahead by so many milliseconds, or back. */
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const { now } = Date

Date.now = () => now() + aheadMs
globalThis.Date = new Proxy(Date, {
  construct: (Real, args) => (args.length === 0 ? new Real(Date.now()) : new Real(...args)),
})
