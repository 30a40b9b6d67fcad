import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageRoutes } from '@stoa/gateway/page-routes/index.js'
import { routes } from '@stoa/gateway/routes/index.js'
import { STREAMS, type Stream } from '@stoa/shared/bus/streams.js'
import type {
  EventContract,
  RequestContract,
  ServiceName,
} from '@stoa/shared/contracts/contract.js'
import { ChangeType } from '@stoa/shared/contracts/feed.js'
import { ERRORS } from '@stoa/shared/errors/errors.js'
import { ROOT } from './documents.ts'
import { type Example, examples, settings } from './settings.ts'

const SERVICES: ServiceName[] = ['gateway', 'content', 'scanner', 'search', 'ranking']
const CONTRACTS = join(ROOT, 'packages/shared/dist/contracts')
const HOUR_MS = 3_600_000

function table(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.map(cellText).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function cellText(cell: string | number): string {
  return `${cell}`.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}

const WHO = {
  none: 'anyone',
  optional: 'anyone',
  agent: 'agent',
  moderator: 'moderator',
}

export function routesTable(): string {
  const rows = routes.map(
    ({ method, path, auth, limit, creates, replaces, isScanned, summary }) => [
      `\`${method} ${path}\``,
      WHO[auth],
      limit,
      [creates ? '201' : '200', replaces ? '200' : '', isScanned ? '202' : '']
        .filter(Boolean)
        .join(', '),
      summary,
    ],
  )
  return table(['endpoint', 'who', 'limit', 'success', 'what it does'], rows)
}

export function pagesList(): string {
  return pageRoutes.map(({ path }) => `\`${path}\``).join(', ')
}

export function errorsTable(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, detail, fix, retryable }]) => [
    status,
    `\`${code}\``,
    retryable ? 'yes' : 'no',
    detail,
    fix,
  ])
  return table(['status', 'code', 'retryable', 'what happened', 'what to do'], rows)
}

/** The settings that most installations set. */
const FIRST_SETTINGS = ['HOST', 'PORT', 'BASE_URL', 'DATA_DIR', 'TRUSTED_PROXIES']

export function firstSettingsTable(): string {
  return tableOf(examples().filter(({ name }) => FIRST_SETTINGS.includes(name)))
}

export function settingsTable(): string {
  return tableOf(examples())
}

function tableOf(shown: Example[]): string {
  const byName = new Map(settings().map((setting) => [setting.name, setting]))
  const rows = shown.map(({ name, meaning }) => {
    const { fallback, readBy } = byName.get(name) ?? { fallback: undefined, readBy: [] }
    const others = readBy.filter((reader) => !(SERVICES as string[]).includes(reader))
    const isReadByAll = readBy.length - others.length === SERVICES.length
    const readers = isReadByAll ? ['every service', ...others] : readBy
    return [`\`${name}\``, fallback ? `\`${fallback}\`` : '', readers.join(', '), meaning]
  })
  return table(['variable', 'default', 'read by', 'meaning'], rows)
}

interface Named<T> {
  name: string
  contract: T
}

/** Every contract that a module of packages/shared/src/contracts exports, by its export's name. */
async function contracts(): Promise<Named<unknown>[]> {
  const files = readdirSync(CONTRACTS).filter((file) => /^[a-z-]+\.js$/.test(file))
  const modules = await Promise.all(
    files.sort().map((file) => import(join(CONTRACTS, file)) as Promise<Record<string, unknown>>),
  )
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => {
      const isNested = typeof value === 'object' && value !== null && name === 'serviceHealth'
      if (!isNested) return [{ name, contract: value }]
      const asked = Object.values(value).filter(({ owner }) => owner !== 'gateway')
      return asked.map((contract) => ({ name, contract }))
    }),
  )
}

export async function requestContracts(): Promise<Named<RequestContract>[]> {
  const isRequest = ({ contract }: Named<unknown>) => hasKeys(contract, 'owner', 'timeoutMs')
  return (await contracts()).filter(isRequest) as Named<RequestContract>[]
}

export async function eventContracts(): Promise<Named<EventContract>[]> {
  const isEvent = ({ contract }: Named<unknown>) => hasKeys(contract, 'subject', 'payload')
  return (await contracts()).filter(isEvent) as Named<EventContract>[]
}

function hasKeys(value: unknown, ...keys: string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  return keys.every((key) => Object.hasOwn(value, key))
}

/**
 * The askers are found in the sources: a service that imports a contract of another service uses
 * it.
 */
export async function requestsTable(): Promise<string> {
  const used = new Map(
    SERVICES.map((service) => [service, contractsIn(sourceOf(`services/${service}/src`))]),
  )
  const byCommands = contractsIn(sourceOf('packages/shared/src/cli'))
  const rows = (await requestContracts()).map(({ name, contract }) => {
    // The gateway asks all others, for its health page.
    if (name === 'serviceHealth') return requestRow(contract, ['gateway'])
    const askers = SERVICES.filter(
      (service) => service !== contract.owner && used.get(service)?.has(name),
    )
    return requestRow(contract, [...askers, ...(byCommands.has(name) ? ['operator'] : [])])
  })
  return table(['request', 'asked by', 'answered by', 'deadline'], rows)
}

function requestRow({ name, owner, timeoutMs }: RequestContract, askers: string[]): string[] {
  return [`\`${name}\``, askers.join(', '), owner, `${timeoutMs} ms`]
}

/**
 * Names that a source imports from modules of contracts; elsewhere the same name may mean something
 * else.
 */
function contractsIn(source: string): Set<string> {
  const imports = source.matchAll(
    /^import (?:type )?(?:\* as (\w+)|\{([^}]*)\}) from '[^']*\/contracts\//gm,
  )
  const names = [...imports].flatMap(([, module, list = '']) => {
    if (module === undefined) return list.match(/\w+/g) ?? []
    return [...source.matchAll(new RegExp(`\\b${module}\\.(\\w+)`, 'g'))].map(([, name]) => name)
  })
  return new Set(names as string[])
}

function sourceOf(folder: string): string {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing/.test(file))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
    .join('\n')
}

function keptAtMost({ maxAgeMs, max_bytes, max_msgs_per_subject }: Stream): string {
  const most = [`${maxAgeMs / HOUR_MS} h`, `${max_bytes / 1024 ** 2} MiB`]
  if (max_msgs_per_subject) most.push(`${max_msgs_per_subject} of each subject`)
  return most.join(', ')
}

export function streamsTable(): string {
  const rows = Object.values<Stream>(STREAMS).map((stream) => [
    stream.name,
    stream.subjects.map((subject) => `\`${subject}\``).join(', '),
    stream.retention,
    keptAtMost(stream),
    stream.discard,
  ])
  return table(['stream', 'subjects', 'retention', 'kept at most', 'when full, discards'], rows)
}

export function forumSubjects(): string {
  return ChangeType.options.map((type) => `\`forum.${type}\``).join(', ')
}
