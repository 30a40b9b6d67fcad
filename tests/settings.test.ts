import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { ContentConfig } from '@stoa/content/config.js'
import { readGatewayConfig } from '@stoa/gateway/config.js'
import { RankingConfig } from '@stoa/ranking/config.js'
import { ScannerConfig } from '@stoa/scanner/config.js'
import { SearchConfig } from '@stoa/search/config.js'
import { readConfig } from '@stoa/shared/process/config.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { serveMetrics } from '@stoa/shared/process/metrics.js'

const UNREADABLE =
  'cannot be read: use a port up to 65535, and percent-encode special characters in user and password'
const DATABASE_URL = 'postgresql://stoa@127.0.0.1/stoa'
const content = (env: Record<string, string>) => readConfig(ContentConfig, { DATABASE_URL, ...env })
const ranking = (env: Record<string, string>) => readConfig(RankingConfig, env)
const search = (env: Record<string, string>) => readConfig(SearchConfig, env)
const scanner = (env: Record<string, string>) => readConfig(ScannerConfig, env)

it.each([
  [content, 'DATABASE_URL', 'mysql://stoa@127.0.0.1/stoa'],
  [content, 'DATABASE_URL', 'foo'],
  [content, 'DATABASE_URL', 'postgresql://stoa:secret@127.0.0.1:port/stoa'],
  [content, 'NATS_URL', 'http://127.0.0.1:4222'],
  [content, 'NATS_URL', 'nats://content:100%@127.0.0.1:4222'],
  [content, 'NATS_URL', 'nats://bus-1:4222,http://bus-2:4222'],
  [content, 'NATS_URL', 'nats://bus-1:4222,'],
  [content, 'METRICS_LISTEN', '127.0.0.1:99999'],
  [content, 'METRICS_LISTEN', 'redis://127.0.0.1:9464'],
  [search, 'MEILI_KEY', 'of-two\nlines'],
  [content, 'HOT_HALF_LIFE_SECONDS', '1e-300'],
  [content, 'HOT_COMMENT_WEIGHT', '1e308'],
  [content, 'WEBHOOK_URLS', 'not an address'],
  [readGatewayConfig, 'REDIS_URL', 'http://127.0.0.1:6379'],
  [readGatewayConfig, 'BASE_URL', 'javascript:alert(1)'],
  [readGatewayConfig, 'BASE_URL', 'https://user:password@forum.example'],
  [readGatewayConfig, 'BASE_URL', 'https://forum.example/?a=b'],
  [readGatewayConfig, 'TRUSTED_PROXIES', '10.0.0.0/99'],
  [ranking, 'REDIS_URL', '127.0.0.1:6379'],
  [ranking, 'REDIS_URL', 'redis://:100%@127.0.0.1:6379'],
  [scanner, 'SCANNER_PACKS', '/no/such/folder'],
  [scanner, 'SCANNER_PACKS', '/etc/passwd'],
  [scanner, 'LOG_LEVEL', 'loud'],
])('an unusable setting is refused with its name: %# %s %s', (read, name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`\n  ${name}(\\.0)?: `))
  expect(() => read({})).not.toThrow()
})

it.each([
  [content, 'NATS_URL', 'http://127.0.0.1:4222', 'is not nats://… or tls://…'],
  [
    content,
    'DATABASE_URL',
    '',
    "is not set: set it to the address of the forum's PostgreSQL database",
  ],
  [content, 'DATABASE_URL', 'postgresql://127.0.0.1:99999/stoa', UNREADABLE],
  [content, 'NATS_URL', 'nats://127.0.0.1:99999', UNREADABLE],
  [ranking, 'REDIS_URL', 'redis://127.0.0.1:99999', UNREADABLE],
  [readGatewayConfig, 'BASE_URL', 'forum.example', 'is not an http or https address'],
  [readGatewayConfig, 'REDIS_URL', '127.0.0.1:6379', 'is not redis://… or rediss://…'],
  [readGatewayConfig, 'PORT', 'http', 'is not a whole number from 0 to 65535'],
  [readGatewayConfig, 'REPLICAS', '1e99', 'is not a whole number from 1 to 1000'],
  [readGatewayConfig, 'SECURITY_CONTACT', 'me', 'is not a mailto:, https: or tel: address'],
  [content, 'DATABASE_POOL', '1.5', 'is not a whole number from 2 to 100'],
  [content, 'HOT_COMMENT_WEIGHT', 'much', 'is not a number from -1000000 to 1000000'],
  [content, 'HOT_HALF_LIFE_SECONDS', '0', 'is not a number from 1 to 315360000'],
  [content, 'WEBHOOK_ALLOW_PRIVATE', 'perhaps', 'is not true or false'],
  [search, 'INDEX_RECENT_FROM', '-1', 'is not a whole number from 0 to 9007199254740991'],
  [search, 'INDEX_RECENT_MAX', '0', 'is not a whole number from 1 to 10000'],
  [search, 'SEARCHES_AT_ONCE', 'all', 'is not a whole number from 1 to 32'],
])(
  'an unusable setting is refused with the form that it must have: %# %s %s',
  (read, name, value, form) => {
    expect(() => read({ [name]: value })).toThrow(
      new Error(`bad configuration\n  ${name}: ${form}`),
    )
  },
)

it('DATABASE_URL may name a socket in the file system', () => {
  const sockets = [
    'postgresql:///stoa?host=/var/run/postgresql',
    'postgres://stoa@%2Fvar%2Frun/stoa',
  ]
  for (const url of sockets) expect(content({ DATABASE_URL: url }).DATABASE_URL).toBe(url)
})

it('NATS_URL may name several servers of the bus', () => {
  const url = 'nats://content:a%2Cb@bus-1:4222,bus-2:4222'
  expect(content({ NATS_URL: url }).NATS_URL).toBe(url)
})

it('a setting of spaces is the same as none', () => {
  const { STREAMS_MAX, STALE_IF_ERROR_MS } = readGatewayConfig({})

  expect(readGatewayConfig({ STREAMS_MAX: ' ', STALE_IF_ERROR_MS: '\t' })).toMatchObject({
    STREAMS_MAX,
    STALE_IF_ERROR_MS,
  })
})

it('serveMetrics names METRICS_LISTEN if nothing can listen at its address', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const serving = serveMetrics(address, { breakers: [] }, createLogger('test', 'silent'))

  await expect(serving).rejects.toThrow(`METRICS_LISTEN: nothing can listen at ${address}`)
  server.close()
})
