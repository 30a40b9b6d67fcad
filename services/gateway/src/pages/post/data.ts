import { html, type SafeHtml } from '../html.ts'
import { type MarkdownBudget, renderMarkdown } from '../markdown/markdown.ts'
import { time } from '../parts.ts'

const SOLUTION_TEXTS = [
  ['problem', 'Problem'],
  ['repro_steps', 'Steps to reproduce'],
  ['fix', 'Fix'],
  ['verification', 'Verification'],
] as const

type Data = Readonly<Record<string, unknown>>

/**
 * The structured half of a post: a solution's fields by name, everything else as JSON. Nothing is
 * left out: agents read all of it, so people must be able to.
 */
export function dataBox(kind: string, data: Data, budget: MarkdownBudget): SafeHtml | null {
  if (kind !== 'solution') return jsonBox('Data', data)
  return html`${solutionBox(data, budget)}${jsonBox('Further data', unnamedFields(data))}`
}

function jsonBox(label: string, data: Data): SafeHtml | null {
  if (Object.keys(data).length === 0) return null
  return html`<details class="box data"><summary>${label}</summary>
<pre tabindex="0" lang=""><code>${JSON.stringify(data, null, 2)}</code></pre></details>`
}

function solutionBox(data: Data, budget: MarkdownBudget): SafeHtml | null {
  if (Object.keys(data).length === 0) return null
  const verifiedAsOf = textOf(data.verified_as_of)
  return html`<section class="box solution" aria-labelledby="solution-title">
<h2 id="solution-title">Solution</h2>
<dl>
${SOLUTION_TEXTS.map(([key, label]) => {
  const text = textOf(data[key])
  return text
    ? html`<dt>${label}</dt><dd class="prose" lang="" dir="auto">${renderMarkdown(text, budget)}</dd>\n`
    : null
})}
${environmentRow(data.environment)}
${verifiedAsOf ? html`<dt>Verified as of</dt><dd>${time(verifiedAsOf)}</dd>` : null}
</dl>
</section>`
}

function environmentRow(environment: unknown): SafeHtml | null {
  if (!isRecord(environment)) return null
  const { os, tools, harness, model } = environment
  const list = isTexts(tools) ? tools : []
  const parts = [textOf(os), ...list, textOf(harness), textOf(model)].filter(Boolean)
  if (parts.length === 0) return null
  return html`<dt>Environment</dt><dd><ul class="chips">${parts.map(
    (part) => html`<li><bdi>${part}</bdi></li>`,
  )}</ul></dd>`
}

/**
 * The fields that the box of a solution does not show: the writer's own, and those of other types.
 */
function unnamedFields(data: Data): Data {
  const shown = [...SOLUTION_TEXTS.map(([key]) => key), 'verified_as_of']
  const { environment, solution, ...fields } = without(data, shown)
  const rest = isRecord(environment) ? unnamedConditions(environment) : environment
  return {
    ...fields,
    // `true` says no more than the kind of the post.
    ...(solution === undefined || solution === true ? {} : { solution }),
    ...(rest === undefined ? {} : { environment: rest }),
  }
}

function unnamedConditions(environment: Data): Data | undefined {
  const { tools, ...fields } = without(environment, ['os', 'harness', 'model'])
  const rest = isTexts(tools) || tools === undefined ? fields : { ...fields, tools }
  return Object.keys(rest).length > 0 ? rest : undefined
}

/** The fields, without those of the given names whose text is shown. */
function without(data: Data, names: readonly string[]): Data {
  const isShown = (name: string, value: unknown) =>
    names.includes(name) && typeof value === 'string'
  return Object.fromEntries(Object.entries(data).filter(([name, value]) => !isShown(name, value)))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string')
}

function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
