import {
  CAUSES,
  FIXES,
  LANGUAGES,
  MEASURES,
  NOUNS,
  PARTS,
  SYMPTOMS,
  SYSTEMS,
  TOOLS,
  VERBS,
} from './words.mjs'

/** @typedef {import('./random.mjs').Random} Random */

/**
 * What one text is about, so that its sentences belong together.
 *
 * @typedef {object} Topic
 * @property {string} tool
 * @property {string} other
 * @property {string} part
 * @property {string} language
 * @property {string} symptom
 * @property {string} cause
 * @property {string} fix
 * @property {string} measure
 * @property {string} system
 * @property {string} version
 */

/**
 * @param {Random} r
 * @returns {Topic}
 */
export function topicFrom(r) {
  return {
    tool: r.pick(TOOLS),
    other: r.pick(TOOLS),
    part: r.pick(PARTS),
    language: r.pick(LANGUAGES),
    symptom: r.pick(SYMPTOMS),
    cause: r.pick(CAUSES),
    fix: r.pick(FIXES),
    measure: r.pick(MEASURES),
    system: r.pick(SYSTEMS),
    version: `${r.int(20)}.${r.int(30)}.${r.int(12)}`,
  }
}

/** @typedef {(t: Topic, r: Random) => string} Template */

/** @type {Record<string, Template[]>} */
const TITLES = {
  result: [
    (t, r) => `${t.tool} ${t.version}: ${t.measure} down ${5 + r.int(70)} % after one change`,
    (t) => `Measured: ${t.measure} of the ${t.part} on ${t.system}`,
  ],
  showcase: [
    (t) => `A small ${t.language} tool that watches the ${t.part} of ${t.tool}`,
    (t) => `Replacing ${t.other} with ${t.tool} for our ${t.part}`,
  ],
  claim: [
    (t) => `When the ${t.part} ${t.symptom}, it is ${t.cause}`,
    (t) => `${t.tool} does not need ${t.other} in front of its ${t.part}`,
  ],
  proposal: [
    (t) => `Let us ${t.fix} wherever ${t.tool} meets ${t.other}`,
    (t) => `Proposal: one ${t.part} for ${t.language} and ${t.tool}`,
  ],
  intro: [
    (t) => `Hello from a ${t.language} agent working on ${t.tool}`,
    (t) => `New here: I look after a ${t.part} on ${t.system}`,
  ],
  question: [
    (t) => `Why does the ${t.part} of ${t.tool} ${t.version} ${verb(t.symptom)}?`,
    (t) => `${t.tool} ${t.symptom} behind ${t.other}: where to look first?`,
  ],
  solution: [
    (t) => `Solved: ${t.tool} ${t.symptom} (${t.cause})`,
    (t) => `${t.part} ${t.symptom} with ${t.tool} ${t.version}: ${t.fix}`,
  ],
}

/** @param {string} symptom in the third person */
function verb(symptom) {
  const [first = '', ...rest] = symptom.split(' ')
  if (rest[0] === 'but') return symptom
  return [first.replace(/ies$/, 'y').replace(/(ss|sh|ch|x)es$|s$/, '$1'), ...rest].join(' ')
}

/**
 * A name as it stands in code, such as `flush_lease_41`: names make one text differ from another,
 * and people search for them.
 *
 * @param {Random} r
 */
export function nameFrom(r) {
  const [verb, noun, number] = [r.pick(VERBS), r.pick(NOUNS), r.int(100)]
  return r.chance(0.5) ? `${verb}_${noun}_${number}` : `${verb}-${noun}-${number}`
}

/** @type {Template[]} */
const SENTENCES = [
  (_t, r) => `The stack ends in \`${nameFrom(r)}\`, called from \`${nameFrom(r)}\`.`,
  (t, r) => `Setting \`${nameFrom(r)}\` to ${r.int(500)} moves it into the ${t.part}.`,
  (t, r) => `A trace of \`${nameFrom(r)}\` on ${t.system} is attached to the ticket.`,
  (t, r) => `We run ${t.tool} ${t.version} on ${t.system} with ${2 + r.int(62)} workers.`,
  (t) => `The ${t.part} ${t.symptom}, and nothing in the log of ${t.tool} says so.`,
  (t, r) => `After ${1 + r.int(48)} hours of load the ${t.measure} had moved by ${r.int(300)} %.`,
  (t) => `The cause turned out to be ${t.cause}.`,
  (t) => `What helped was to ${t.fix}.`,
  (t, r) =>
    `Before the change the ${t.measure} was ${10 + r.int(900)}, afterwards ${1 + r.int(90)}.`,
  (t) => `A minimal case in ${t.language} shows the same without ${t.other}.`,
  (_t, r) => `I repeated it ${3 + r.int(40)} times and saw it in ${1 + r.int(3)} runs only.`,
  (t) => `Turning off the ${t.part} hides the problem but costs too much ${t.measure}.`,
  (t) => `The documentation of ${t.other} mentions this in passing, under limits.`,
  (_t, r) => `With ${1 << r.int(14)} connections the difference disappears.`,
  (t) => `Profiles point at the ${t.part}; ${t.other} itself is idle.`,
  (_t, r) => `The trace shows ${2 + r.int(30)} calls where one would do.`,
  (t) => `If somebody can reproduce it on another system than ${t.system}, please say so.`,
  (t) => `The change is safe to roll back: ${t.tool} reads both formats.`,
  (_t, r) => `Memory stays at ${40 + r.int(2000)} MiB, so it is not a leak.`,
  (t) => `I first suspected ${t.other}, wrongly.`,
  (_t, r) => `The test takes ${1 + r.int(120)} s and needs no network.`,
  (t) => `In ${t.language} the same pattern is easy to get wrong because errors pass silently.`,
  (t) => `A second ${t.part} in the same process made it worse.`,
  (_t, r) => `Our budget for this path is ${1 + r.int(50)} ms at the 99th percentile.`,
  (t) => `It would be good to ${t.fix} by default.`,
]

/** @type {Template[]} */
const BLOCKS = [
  (t, r) =>
    `\`\`\`\n${t.measure.replaceAll(' ', '_')} before=${r.int(9000)} after=${r.int(900)} ` +
    `runs=${3 + r.int(20)} spread=${r.int(12)}%\n\`\`\``,
  (t, r) =>
    `\`\`\`yaml\n${t.tool.toLowerCase()}:\n  workers: ${1 + r.int(32)}\n` +
    `  timeout_ms: ${100 * (1 + r.int(50))}\n  queue_max: ${1 << (4 + r.int(10))}\n\`\`\``,
  (t, r) =>
    `- version ${t.version}\n- system ${t.system}\n- load ${10 * (1 + r.int(400))} requests/s\n` +
    `- ${t.measure}: ${r.int(1000)}`,
  (_t, r) =>
    `\`\`\`sql\nSELECT id, state FROM jobs WHERE shard = ${r.int(64)} AND state <> 'done'\n` +
    `ORDER BY id LIMIT ${10 * (1 + r.int(50))};\n\`\`\``,
  (t) =>
    `| step | ${t.tool} | ${t.other} |\n|---|---|---|\n| start | yes | no |\n| drain | no | yes |`,
]

/**
 * @param {Topic} topic
 * @param {string} kind
 * @param {Random} r
 */
export function titleOf(topic, kind, r) {
  const title = r.pick(/** @type {Template[]} */ (TITLES[kind]))(topic, r)
  return `${title[0]?.toUpperCase()}${title.slice(1)}`.slice(0, 200)
}

/**
 * Markdown of about `length` characters: paragraphs of sentences, now and then a block.
 *
 * @param {Topic} topic
 * @param {Random} r
 * @param {number} length
 */
export function bodyOf(topic, r, length) {
  let text = ''
  let about = topic
  while (text.length < length) {
    if (text !== '') text += '\n\n'
    if (text.length > 300 && r.chance(0.2)) text += r.pick(BLOCKS)(about, r)
    else text += paragraphOf(about, r, 2 + r.int(4))
    about = { ...topic, other: r.pick(TOOLS), measure: r.pick(MEASURES) }
  }
  return text
}

/**
 * Has no factor in common with the number of sentences, so that steps of this size visit every
 * sentence once before they repeat one.
 */
const STRIDE = 7

/**
 * @param {Topic} topic
 * @param {Random} r
 * @param {number} sentences
 */
function paragraphOf(topic, r, sentences) {
  const start = r.int(SENTENCES.length)
  let text = ''
  for (let i = 0; i < sentences; i++) {
    const say = /** @type {Template} */ (SENTENCES[(start + i * STRIDE) % SENTENCES.length])
    text += `${i > 0 ? ' ' : ''}${say(topic, r)}`
  }
  return text
}

/**
 * The data of a post of kind `solution`.
 *
 * @param {Topic} topic
 * @param {Random} r
 * @param {{ model: string, harness: string }} author
 * @param {number} atMs
 */
export function solutionData(topic, r, { model, harness }, atMs) {
  return {
    problem: `The ${topic.part} of ${topic.tool} ${topic.version} ${topic.symptom}.`,
    environment: { os: topic.system, tools: [topic.tool, topic.other], harness, model },
    repro_steps: paragraphOf(topic, r, 2),
    fix: `The cause was ${topic.cause}. To mend it, ${topic.fix}.`,
    verification: paragraphOf(topic, r, 1),
    verified_as_of: new Date(atMs).toISOString().slice(0, 10),
    solution: true,
  }
}

/**
 * @param {Topic} topic
 * @param {Random} r
 * @returns {string[]} at most four
 */
export function tagsOf(topic, r) {
  const names = [topic.tool, topic.language, topic.part, topic.measure].map((name) =>
    name
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^a-z0-9+.#-]/g, ''),
  )
  return [...new Set(names)].slice(0, 1 + r.int(4))
}

const POST_LENGTH = { median: 1_500, sigma: 0.7, min: 120, max: 20_000 }
const COMMENT_LENGTH = { median: 220, sigma: 0.8, min: 20, max: 6_000 }

/** @param {Random} r */
export const postLength = (r) => lengthFrom(r, POST_LENGTH)
/** @param {Random} r */
const commentLength = (r) => lengthFrom(r, COMMENT_LENGTH)

/**
 * @param {Random} r
 * @param {typeof POST_LENGTH} shape
 */
function lengthFrom(r, { median, sigma, min, max }) {
  return Math.min(max, Math.max(min, r.logNormal(median, sigma)))
}

/**
 * @param {Topic} topic
 * @param {Random} r
 */
export function commentOf(topic, r) {
  const length = commentLength(r)
  return length > 900 ? bodyOf(topic, r, length) : paragraphOf(topic, r, Math.ceil(length / 75))
}
