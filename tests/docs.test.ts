import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import * as events from '@stoa/shared/contracts/events.js'
import {
  errorsTable,
  eventContracts,
  firstSettingsTable,
  forumSubjects,
  pagesList,
  requestContracts,
  requestsTable,
  routesTable,
  settingsTable,
  streamsTable,
} from './support/docs-tables.ts'
import {
  anchorsOf,
  generatedPart,
  markdownPages,
  ROOT,
  readDocument,
  relativeLinks,
  replacePart,
} from './support/documents.ts'
import { examples, settings } from './support/settings.ts'

/** `UPDATE_DOCS=1 npm test -- --no-checks tests/docs` writes the tables and does not check them. */
const UPDATES = process.env.UPDATE_DOCS === '1'

/** The files in which metrics get their names. */
const METRICS_IN = [
  'services/gateway/src/gateway.ts',
  'packages/shared/src/process/metrics.ts',
  'services/content/src/gauges.ts',
  'services/content/src/workers/attendance.ts',
  'services/gateway/src/composition/read-health.ts',
  'services/gateway/src/serving/answer-counts.ts',
  'services/ranking/src/health.ts',
  'services/scanner/src/scanner.ts',
  'services/search/src/health.ts',
]

const PARTS: [path: string, name: string, write: () => string | Promise<string>][] = [
  ['README.md', 'settings', firstSettingsTable],
  ['docs/SETTINGS.md', 'all-settings', settingsTable],
  ['docs/API.md', 'routes', routesTable],
  ['docs/API.md', 'pages', pagesList],
  ['docs/API.md', 'errors', errorsTable],
  ['docs/EVENTS.md', 'requests', requestsTable],
  ['docs/EVENTS.md', 'streams', streamsTable],
  ['docs/EVENTS.md', 'forum-subjects', forumSubjects],
]

describe('the documentation', () => {
  it.each(PARTS)('matches the code in %s, part %s', async (path, name, write) => {
    const text = await write()
    if (UPDATES) replacePart(path, name, text)

    expect(generatedPart(path, name)).toBe(text)
  })

  it('names every event and notice on EVENTS.md', async () => {
    const page = readDocument('docs/EVENTS.md')
    const notices = Object.values(events).filter((value) => typeof value === 'string')
    const subjects = (await eventContracts()).map(({ contract }) => contract.subject)

    for (const subject of [...subjects, ...notices]) expect(page).toContain(`| \`${subject}\` |`)
  })

  it('names each alarm, and mentions only metrics that the code has', () => {
    const rules = readDocument('deploy/monitoring/alarms.yml')
    const page = readDocument('docs/OPERATIONS.md')
    const code = METRICS_IN.map(readDocument).join('\n')
    const alarms = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    const metrics = [...`${rules}${page}`.matchAll(/\b(?:stoa|process)_[a-z_]+/g)].map(
      ([name]) => name,
    )

    expect(alarms.length).toBeGreaterThan(10)
    for (const name of alarms) expect(page).toContain(`\`${name}\``)
    for (const name of new Set(metrics)) expect(code).toContain(name)
  })

  it('names at least one asker of each request', async () => {
    const rows = (await requestsTable()).split('\n').slice(2)

    expect(rows.filter((row) => row.includes('|  |'))).toEqual([])
    expect(rows).toHaveLength((await requestContracts()).length)
  })

  it.each(markdownPages())('has no dead link in %s', (path) => {
    const dead = relativeLinks(path).filter(({ target, heading }) => {
      if (!existsSync(join(ROOT, target))) return true
      return heading !== undefined && !anchorsOf(target).includes(heading)
    })

    expect(dead).toEqual([])
  })

  it.each(markdownPages())('links to %s from another page', (path) => {
    const others = markdownPages().filter((page) => page !== path)
    const targets = others.flatMap((page) => relativeLinks(page).map(({ target }) => target))

    if (path !== 'README.md') expect(targets).toContain(path)
  })

  it('lists every decision in ARCHITECTURE.md, in order', () => {
    const files = markdownPages().filter((path) => path.startsWith('docs/decisions/'))
    const listed = relativeLinks('docs/ARCHITECTURE.md').map(({ target }) => target)

    expect(listed.filter((target) => target.startsWith('docs/decisions/'))).toEqual(
      files.toSorted(),
    )
  })

  it.each(markdownPages())('names only existing files in %s', (path) => {
    const named = readDocument(path).matchAll(
      /`((?:services|packages|tests|deploy|docs|bench)\/[\w./-]+\.(?:ts|mjs|sql|md|yml|conf|json))`/g,
    )
    const missing = [...named].map(([, file]) => file as string).filter(isMissing)

    expect(missing).toEqual([])
  })
})

function isMissing(file: string): boolean {
  return !existsSync(join(ROOT, file))
}

describe('.env.example', () => {
  it('names every setting that the code reads, and no other', () => {
    const read = settings().map(({ name }) => name)
    const shown = examples().map(({ name }) => name)

    expect(shown.toSorted()).toEqual(read.toSorted())
  })

  it('shows the default of each setting, or nothing if `npm start` sets its own value', () => {
    const byName = new Map(settings().map((setting) => [setting.name, setting]))
    const others = examples().filter(
      ({ name, value }) => value !== '' && value !== byName.get(name)?.fallback,
    )

    expect(others).toEqual([])
  })
})

describe('the dependencies', () => {
  const OWNERS: Record<string, string[]> = {
    express: ['gateway'],
    'markdown-it': ['gateway'],
    pg: ['content'],
    'node-pg-migrate': ['content'],
    meilisearch: ['search'],
    ioredis: ['gateway', 'ranking'],
  }
  const services = readdirSync(join(ROOT, 'services'))
  const manifest = (path: string) =>
    JSON.parse(readDocument(path)) as Record<string, Record<string, string> | undefined>
  const runtime = (path: string) => {
    const { dependencies, optionalDependencies } = manifest(path)
    return Object.keys({ ...dependencies, ...optionalDependencies })
  }

  it.each(services)('include for %s only libraries of its own, and no other service', (service) => {
    const needed = runtime(`services/${service}/package.json`)

    const foreign = needed.filter((name) => OWNERS[name] && !OWNERS[name].includes(service))
    const ours = needed.filter((name) => name.startsWith('@stoa/'))
    expect(foreign).toEqual([])
    expect(ours).toEqual(['@stoa/shared'])
  })

  it('include no database client and no service in the shared package', () => {
    const needed = runtime('packages/shared/package.json')

    expect(needed.filter((name) => OWNERS[name] || name.startsWith('@stoa/'))).toEqual([])
  })

  it('include nothing that a service could import from the root package', () => {
    expect(manifest('package.json').dependencies ?? {}).toEqual({})
  })
})
