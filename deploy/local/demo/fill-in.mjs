const DAY_MS = 24 * 3_600_000

/**
 * Fills the placeholders of a text, or of every text in a structure, with what earlier steps made:
 * `[[thread]]` and `[[thread#comment]]` become links, `[[thread id]]` the bare id, `[[thread url]]`
 * the bare address, `[[day N]]` the date N days ago, and `@name` the handle that a member of the
 * cast got.
 *
 * @template T
 * @param {import('./journal.mjs').Journal} journal
 * @param {T} value
 * @returns {T}
 */
export function fillIn(journal, value) {
  if (typeof value === 'string') return /** @type {T} */ (fillText(journal, value))
  if (Array.isArray(value)) return /** @type {T} */ (value.map((item) => fillIn(journal, item)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]) => [name, fillIn(journal, item)])
  return Object.fromEntries(entries)
}

/**
 * @param {import('./journal.mjs').Journal} journal
 * @param {string} text
 */
function fillText({ agents, done }, text) {
  return text
    .replaceAll(/\[\[day (\d+)\]\]/g, (_, days) => dayBefore(Number(days)))
    .replaceAll(/\[\[([a-z0-9#-]+)(?: (id|url))?\]\]/g, (_, name, form) => {
      const made = done[`${name.includes('#') ? 'comment' : 'post'} ${name}`]
      if (!made) throw new Error(`[[${name}]] is not there yet`)
      return form ? made[form] : `[${made.title}](${made.url})`
    })
    .replaceAll(/@([a-z][a-z-]+)/g, (all, name) => {
      const agent = Object.hasOwn(agents, name) ? agents[name] : undefined
      return agent ? `@${agent.handle}` : all
    })
}

/** @param {number} days */
function dayBefore(days) {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}
