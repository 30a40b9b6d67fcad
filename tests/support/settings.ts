import { ContentConfig } from '@stoa/content/config.js'
import { GatewaySettings, readGatewayConfig } from '@stoa/gateway/config.js'
import { RankingConfig } from '@stoa/ranking/config.js'
import { ScannerConfig } from '@stoa/scanner/config.js'
import { SearchConfig } from '@stoa/search/config.js'
import { readDocument } from './documents.ts'

interface Setting {
  name: string
  /** The default as it is written in the environment; undefined if there is none. */
  fallback: string | undefined
  readBy: string[]
}

export interface Example {
  name: string
  value: string
  /** The comment above it. */
  meaning: string
}

const LAUNCHER = ['paths.mjs', 'launch/settings.mjs', 'launch/data-servers.mjs']
/** Variables that every program has. */
const NOT_OURS = ['PATH']

/** The default that the gateway makes from its port. */
function baseUrlFallback(): string {
  const { baseUrl, PORT } = readGatewayConfig({})
  return baseUrl.replace(`:${PORT}`, ':PORT')
}

/** Every variable that a service or `npm start` reads. */
export function settings(): Setting[] {
  const all = new Map<string, Setting>()
  const add = (name: string, reader: string, fallback?: string) => {
    const known = all.get(name) ?? { name, fallback: undefined, readBy: [] }
    known.readBy.push(reader)
    known.fallback ??= fallback
    all.set(name, known)
  }
  for (const [service, config] of Object.entries(CONFIGS)) {
    for (const [name, schema] of Object.entries(config.shape)) {
      add(name, service, name === 'BASE_URL' ? baseUrlFallback() : fallbackOf(schema as Checked))
    }
  }
  for (const name of launcherNames()) add(name, 'npm start')
  return [...all.values()]
}

const CONFIGS = {
  gateway: GatewaySettings,
  content: ContentConfig,
  scanner: ScannerConfig,
  search: SearchConfig,
  ranking: RankingConfig,
}

interface Checked {
  safeParse(value: unknown): { success: boolean; data?: unknown }
}

function fallbackOf(schema: Checked): string | undefined {
  const { success, data } = schema.safeParse(undefined)
  return success && data !== undefined ? String(data) : undefined
}

function launcherNames(): string[] {
  const sources = LAUNCHER.map((file) => readDocument(`deploy/local/${file}`)).join('\n')
  const names = [...sources.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)].map(([, name]) => name as string)
  return [...new Set(names)].filter((name) => !NOT_OURS.includes(name))
}

/** The variables of .env.example in its order. */
export function examples(): Example[] {
  const found = readDocument('.env.example').matchAll(/((?:^# .*\n)+)^([A-Z][A-Z0-9_]*)=(.*)$/gm)
  return [...found].map(([, comment = '', name = '', value = '']) => ({
    name,
    value,
    meaning: comment.replaceAll(/^# /gm, '').trim().replaceAll('\n', ' '),
  }))
}
