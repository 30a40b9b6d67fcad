import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { SERVICES } from '../deploy/local/launch/service-env.mjs'
import { freePort } from '../deploy/local/processes/free-port.mjs'
import { readDocument } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { type Forum, startForum } from './support/forum.ts'
import { describeWithMeili } from './support/meilisearch.ts'

interface Dashboard {
  templating: { list: { name: string; query: string | { query: string } }[] }
  panels: Panel[]
}

interface Rule {
  alert: string
  expr: string
  labels?: { severity: string }
  annotations?: { summary: string }
}

interface Panel {
  id: number
  title: string
  description?: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}

const NONE = { content: 0, scanner: 0, search: 0, ranking: 0, gateway: 0 }
/** The labels that Prometheus gives every metric, its own metric `up` included. */
const OF_PROMETHEUS = ['job', 'instance']
const BREAKER = 'stoa_circuit_breaker_state'

const dashboard = JSON.parse(readDocument('deploy/monitoring/dashboard.json')) as Dashboard
const alarms = parse(readDocument('deploy/monitoring/alarms.yml')) as {
  groups: { rules: Rule[] }[]
}
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? [])
const variables = dashboard.templating.list.map(({ query }) =>
  typeof query === 'string' ? query : query.query,
)
const rules = alarms.groups.flatMap((group) => group.rules)
const expressions = [...rules, ...targets].map(({ expr }) => expr)

const metricsIn = (text: string) => text.match(/\b(?:stoa|process)_[a-z_]+/g) ?? []

/** Each label that an expression chooses or groups by, with its value if it chooses one. */
function labelsIn(text: string): [name: string, value: string | undefined][] {
  const chosen = [...text.matchAll(/\b(\w+)="([^"]*)"/g)].map(
    ([, name, value]) => [name as string, value] as [string, string],
  )
  const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => [name.trim(), undefined] as [string, undefined]),
  )
  return [...chosen, ...grouped]
}

describeWithMeili('the metrics of the services', () => {
  let forum: Forum
  /** By metric: each of its labels, with the values that the label has. */
  const exported = new Map<string, Map<string, Set<string>>>()
  /** By metric: its help text, which Prometheus shows without those of other metrics. */
  const helps = new Map<string, string>()

  beforeAll(async () => {
    forum = await startForum(NONE)
    const addresses: string[] = []
    for (const service of SERVICES) {
      const address = `127.0.0.1:${await freePort()}`
      addresses.push(address)
      await forum.start(service, { METRICS_LISTEN: address })
    }
    await eventually('every part can be asked', async () => {
      exported.clear()
      for (const address of addresses) note(await (await fetch(`http://${address}/metrics`)).text())
      return exported.has('stoa_unindexed_age_seconds') && exported.has('stoa_unranked_age_seconds')
    })
  })

  afterAll(() => forum?.stop())

  function note(scraped: string): void {
    for (const [, name = '', help = ''] of scraped.matchAll(/^# HELP (\w+) (.*)$/gm)) {
      helps.set(name, help)
    }
    for (const [, name = '', labels = ''] of scraped.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      const known = exported.get(name) ?? new Map<string, Set<string>>()
      exported.set(name, known)
      for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
        known.set(label, (known.get(label) ?? new Set()).add(value))
      }
    }
  }

  it('include each metric of the alarms and of the dashboard', () => {
    const asked = [...expressions, ...variables].flatMap(metricsIn)

    expect(new Set(asked).size).toBeGreaterThan(10)
    expect(asked.filter((name) => !exported.has(name))).toEqual([])
  })

  it('have each label and value that alarms and panels select, group by or show', () => {
    const shown = targets.map(({ expr, legendFormat }) => {
      const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
      return `${expr} by (${labels.join(', ') || 'instance'})`
    })
    for (const text of [...rules.map(({ expr }) => expr), ...shown]) {
      const known = metricsIn(text).map((name) => exported.get(name))
      const unknown = labelsIn(text).filter(([name, value]) => {
        if (OF_PROMETHEUS.includes(name)) return false
        return !known.every((labels) => labels?.has(name) && has(labels, name, value))
      })
      expect([text, unknown]).toEqual([text, []])
    }
  })

  function has(labels: Map<string, Set<string>>, name: string, value: string | undefined) {
    return value === undefined || labels.get(name)?.has(value)
  }

  it('have help texts that are all different and refer to no other metric', () => {
    const said = [...helps.values()]

    expect(said.length).toBeGreaterThan(10)
    expect(new Set(said).size).toBe(said.length)
    expect(said.filter((help) => /\b(?:of them|those|other)\b/.test(help))).toEqual([])
  })

  it('are all on the dashboard', () => {
    const shown = targets.flatMap(({ expr }) => metricsIn(expr))

    expect([...exported.keys()].filter((name) => !shown.includes(name))).toEqual([])
  })

  it('name only breakers that docs/OPERATIONS.md describes', () => {
    const page = readDocument('docs/OPERATIONS.md')
    const downstreams = exported.get(BREAKER)?.get('downstream') ?? new Set()

    expect(downstreams.size).toBeGreaterThan(4)
    for (const name of downstreams) expect(page).toContain(`\`${name}\``)
  })
})

describe('the alarms', () => {
  it.each(rules)(
    'have a severity, and a summary with labels of their own expression only: $alert',
    (rule) => {
      const { expr, labels, annotations } = rule
      const shown = [...(annotations?.summary ?? '').matchAll(/\$labels\.(\w+)/g)].map(
        ([, name]) => name,
      )
      // A sum or maximum keeps no label but those that it groups by.
      const kept = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ')
      const isOfAll = kept === undefined && /^(?:max|min|sum)\(/.test(expr)

      expect(['critical', 'warning']).toContain(labels?.severity)
      expect(annotations?.summary).toMatch(/^[^a-z].*[^.]$/)
      expect(shown.filter((name) => isOfAll || (kept && !kept.includes(`${name}`)))).toEqual([])
    },
  )

  it('include ServiceGone, which fires too if no gateway exports anything', () => {
    const gone = rules.find(({ alert }) => alert === 'ServiceGone')

    expect(gone?.expr).toMatch(/ or absent\(stoa_health\)$/)
  })

  it('include AnswersFail, which counts failed answers by class', () => {
    const failing = rules.filter(({ expr }) => expr.includes('stoa_answers_total{status="5xx"}'))

    expect(failing.map(({ alert }) => alert)).toEqual(['AnswersFail'])
    expect(failing[0]?.expr).toMatch(/^sum by \(class\) /)
  })
})

describe('the dashboard', () => {
  it('describes each panel, and names only alarms that exist', () => {
    const panels = dashboard.panels.filter(({ targets: shown }) => shown)
    const names = rules.map(({ alert }) => alert)

    for (const { description = '' } of panels) {
      expect(description).not.toBe('')
      const named = description.match(/\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g) ?? []
      expect(named.filter((name) => !names.includes(name))).toEqual([])
    }
  })

  it('queries only the data source and the job that its reader chooses', () => {
    const text = readDocument('deploy/monitoring/dashboard.json')
    const sources = [...text.matchAll(/"uid": "([^"]+)"/g)].map(([, uid]) => uid)

    expect(sources.filter((uid) => !/^(stoa|\$\{datasource\})$/.test(`${uid}`))).toEqual([])
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job'])
    expect(targets.filter(({ expr }) => !expr.includes('job="$job"'))).toEqual([])
  })

  it('places its panels without overlap, each with an id of its own', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)} ${y + Math.floor(nth / w)}`),
    )

    expect(new Set(cells).size).toBe(cells.length)
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })
})
