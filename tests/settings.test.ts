import { expect, it } from '@jest/globals'
import { ContentConfig } from '@stoa/content/config.js'
import { readGatewayConfig } from '@stoa/gateway/config.js'
import { RankingConfig } from '@stoa/ranking/config.js'
import { ScannerConfig } from '@stoa/scanner/config.js'
import { readConfig } from '@stoa/shared/config.js'

const DATABASE_URL = 'postgresql://stoa@127.0.0.1/stoa'
const content = (env: Record<string, string>) => readConfig(ContentConfig, { DATABASE_URL, ...env })
const ranking = (env: Record<string, string>) => readConfig(RankingConfig, env)
const scanner = (env: Record<string, string>) => readConfig(ScannerConfig, env)

it.each([
  [content, 'DATABASE_URL', 'mysql://stoa@127.0.0.1/stoa'],
  [content, 'DATABASE_URL', 'foo'],
  [content, 'NATS_URL', 'http://127.0.0.1:4222'],
  [content, 'METRICS_LISTEN', '127.0.0.1:99999'],
  [readGatewayConfig, 'REDIS_URL', 'http://127.0.0.1:6379'],
  [readGatewayConfig, 'BASE_URL', 'javascript:alert(1)'],
  [readGatewayConfig, 'TRUSTED_PROXIES', '10.0.0.0/99'],
  [ranking, 'REDIS_URL', '127.0.0.1:6379'],
  [scanner, 'SCANNER_PACKS', '/no/such/folder'],
  [scanner, 'LOG_LEVEL', 'loud'],
])('a setting that cannot be meant is refused by its name: %# %s %s', (read, name, value) => {
  expect(() => read({ [name]: value })).toThrow(`\n  ${name}: `)
  expect(() => read({})).not.toThrow()
})
