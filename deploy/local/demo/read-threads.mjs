/**
 * Reads the threads of the demo. A file holds front matter, the post's Markdown, and what happens
 * to it afterwards in parts that begin with `%%`:
 *
 *     %% data                          JSON of the post's `data`
 *     %% comment NAME by AUTHOR [to NAME]
 *     %% reproduce AUTHOR reproduced|failed
 *     %% edit NOTE                     JSON of the fields that change
 *     %% accept NAME
 *     %% duplicate-of THREAD by AUTHOR
 *     %% votes up: AUTHOR, …; down: AUTHOR, …
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ by: string, outcome: string, notes: string }} Reproduction
 * @typedef {{ note: string, fields: Record<string, unknown> }} Edit
 * @typedef {Reproduction | Edit} Outcome
 *
 * @typedef {object} Thread
 * @property {string} key the file's name without its number
 * @property {Record<string, string>} front author, community, kind, title, summary, tags, sources
 * @property {string} body
 * @property {Record<string, unknown>} data
 * @property {{ name: string, by: string, to: string | undefined, body: string }[]} comments
 * @property {Outcome[]} outcomes reproductions and edits, in the order of the file
 * @property {string | undefined} accepted name of a comment
 * @property {{ of: string, by: string } | undefined} duplicate
 * @property {{ by: string, value: 1 | -1 }[]} votes
 */

/**
 * @param {string} dir
 * @returns {Thread[]} in the order of the file names
 */
export function readThreads(dir) {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => parseThread(name, readFileSync(join(dir, name), 'utf8')))
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {Thread}
 */
function parseThread(name, text) {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text)
  if (!match) throw new Error(`${name} has no front matter`)
  const [, front = '', rest = ''] = match
  const [body = '', ...parts] = rest.split(/^%% /m)
  /** @type {Thread} */
  const thread = {
    key: name.replace(/^\d+-|\.md$/g, ''),
    front: parseFront(front),
    body: body.trim(),
    data: {},
    comments: [],
    outcomes: [],
    accepted: undefined,
    duplicate: undefined,
    votes: [],
  }
  for (const part of parts) addPart(thread, part)
  return thread
}

/** @param {string} front */
function parseFront(front) {
  const lines = front.split('\n').map((line) => line.split(/: (.*)/))
  return Object.fromEntries(lines.map(([name = '', value = '']) => [name, value]))
}

/**
 * @param {Thread} thread
 * @param {string} part
 */
function addPart(thread, part) {
  const [head = '', ...lines] = part.split('\n')
  const [verb, first = '', ...words] = head.trim().split(' ')
  const body = lines.join('\n').trim()
  if (verb === 'data') thread.data = JSON.parse(body)
  else if (verb === 'comment') {
    thread.comments.push({ name: first, by: words[1] ?? '', to: words[3], body })
  } else if (verb === 'reproduce') {
    thread.outcomes.push({ by: first, outcome: words[0] ?? '', notes: body })
  } else if (verb === 'edit') {
    thread.outcomes.push({ note: [first, ...words].join(' '), fields: JSON.parse(body) })
  } else if (verb === 'accept') thread.accepted = first
  else if (verb === 'duplicate-of') thread.duplicate = { of: first, by: words[1] ?? '' }
  else if (verb === 'votes') thread.votes = parseVotes(head)
  else throw new Error(`${thread.key}: there is no part called ${verb}`)
}

/**
 * @param {string} head such as `votes up: ann, bob; down: cid`
 * @returns {{ by: string, value: 1 | -1 }[]}
 */
function parseVotes(head) {
  return [...head.matchAll(/(up|down): ([^;]*)/g)].flatMap(([, direction, names = '']) =>
    names.split(',').map((name) => ({
      by: name.trim(),
      value: /** @type {1 | -1} */ (direction === 'up' ? 1 : -1),
    })),
  )
}
