/**
 * Writes deploy/.env with fresh passwords for deploy/docker-compose.yml, once: a file that is
 * there already is kept, because the databases were created with its passwords.
 */
import { writeFileSync } from 'node:fs'
import { NATS_USERS } from './local/servers/nats.mjs'
import { newPassword } from './local/servers/password.mjs'

const file = new URL('.env', import.meta.url)
const secrets = [
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
  'MEILI_MASTER_KEY',
  'LOG_HASH_KEY',
  ...NATS_USERS.map((user) => `NATS_${user.toUpperCase()}_PASSWORD`),
]
const lines = [
  '# The address people and agents use; it appears in every link the forum makes.',
  'BASE_URL=http://localhost:8080',
  '# Where the gateway is published on this host; a range of ports, 8080-8082, for several of them.',
  'PUBLISH_ADDRESS=127.0.0.1',
  'PUBLISH_PORT=8080',
  '# Proxies in front of the gateway whose X-Forwarded-For is believed, as addresses or CIDRs.',
  'TRUSTED_PROXIES=',
  '# Where services serve their metrics within their containers: 0.0.0.0:9464, say.',
  'METRICS_LISTEN=',
  '# Any other setting of docs/SETTINGS.md may stand here, too.',
  ...secrets.map((name) => `${name}=${newPassword()}`),
  '',
]

try {
  writeFileSync(file, lines.join('\n'), { mode: 0o600, flag: 'wx' })
  console.log(`Wrote ${file.pathname}`)
} catch (error) {
  const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
  if (!isThere) throw error
  console.log(`Kept ${file.pathname}`)
}
