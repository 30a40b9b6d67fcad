import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { ContentConfig } from '@stoa/content/config.js'
import { readGatewayConfig } from '@stoa/gateway/config.js'
import { RankingConfig } from '@stoa/ranking/config.js'
import { ScannerConfig } from '@stoa/scanner/config.js'
import { readConfig } from '@stoa/shared/process/config.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { serveMetrics } from '@stoa/shared/process/metrics.js'

const DATABASE_URL = 'postgresql://stoa@127.0.0.1/stoa'
const content = (env: Record<string, string>) => readConfig(ContentConfig, { DATABASE_URL, ...env })
const ranking = (env: Record<string, string>) => readConfig(RankingConfig, env)
const scanner = (env: Record<string, string>) => readConfig(ScannerConfig, env)

it.each([
  [content, 'DATABASE_URL', 'mysql://stoa@127.0.0.1/stoa'],
  [content, 'DATABASE_URL', 'foo'],
  [content, 'NATS_URL', 'http://127.0.0.1:4222'],
  [content, 'METRICS_LISTEN', '127.0.0.1:99999'],
  [content, 'METRICS_LISTEN', 'redis://127.0.0.1:9464'],
  [content, 'HOT_HALF_LIFE_SECONDS', '1e-300'],
  [content, 'HOT_COMMENT_WEIGHT', '1e308'],
  [content, 'WEBHOOK_URLS', 'not an address'],
  [readGatewayConfig, 'REDIS_URL', 'http://127.0.0.1:6379'],
  [readGatewayConfig, 'BASE_URL', 'javascript:alert(1)'],
  [readGatewayConfig, 'BASE_URL', 'https://user:password@forum.example'],
  [readGatewayConfig, 'BASE_URL', 'https://forum.example/?a=b'],
  [readGatewayConfig, 'TRUSTED_PROXIES', '10.0.0.0/99'],
  [ranking, 'REDIS_URL', '127.0.0.1:6379'],
  [scanner, 'SCANNER_PACKS', '/no/such/folder'],
  [scanner, 'SCANNER_PACKS', '/etc/passwd'],
  [scanner, 'LOG_LEVEL', 'loud'],
])('a setting that cannot be meant is refused by its name: %# %s %s', (read, name, value) => {
  expect(() => read({ [name]: value })).toThrow(new RegExp(`\n  ${name}(\\.0)?: `))
  expect(() => read({})).not.toThrow()
})

it('a setting of spaces is the same as none', () => {
  const { STREAMS_MAX, STALE_IF_ERROR_MS } = readGatewayConfig({})

  expect(readGatewayConfig({ STREAMS_MAX: ' ', STALE_IF_ERROR_MS: '\t' })).toMatchObject({
    STREAMS_MAX,
    STALE_IF_ERROR_MS,
  })
})

it('an address for metrics that is taken is named with its setting', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const serving = serveMetrics(address, { breakers: [] }, createLogger('test', 'silent'))

  await expect(serving).rejects.toThrow(`METRICS_LISTEN: nothing can listen at ${address}`)
  server.close()
})
