/**
 * Writes fresh passwords for deploy/docker-compose.yml to deploy/.env, or to the named file. The
 * content of a file that already exists is kept, because the databases were created with its
 * passwords; only passwords that a later release needs are added. With --passwords-only no settings
 * are written, for the Secret of deploy/kubernetes.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { badUsage, readCommandLine } from '../packages/shared/src/process/command-line.mjs'
import { NATS_USERS } from './local/servers/nats.mjs'
import { newPassword } from './local/servers/password.mjs'
import { writeWhole } from './local/write-whole.mjs'

const USAGE =
  'usage: node deploy/generate-env.mjs [--passwords-only] [FILE]   (deploy/.env by default)'
const SECRETS = [
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
  'MEILI_MASTER_KEY',
  'LOG_HASH_KEY',
  ...NATS_USERS.map((user) => `NATS_${user.toUpperCase()}_PASSWORD`),
]
/** Matches the rest of a line after its `=` if the value is empty. */
const NOTHING = '(""|\'\')?[ \\t]*$'
const SETTINGS = `# The address people and agents use; it appears in every link the forum makes.
BASE_URL=http://localhost:8080
# The gateway's address and port on this host; for several gateways a range of ports: 8080-8082.
PUBLISH_ADDRESS=127.0.0.1
PUBLISH_PORT=8080
# Proxies in front of the gateway whose X-Forwarded-For is believed, as addresses or CIDRs.
TRUSTED_PROXIES=
# Where services serve metrics in their containers, for example 0.0.0.0:9464; nowhere if empty.
METRICS_LISTEN=
# You can add any other setting of docs/SETTINGS.md.
`

const { values, positionals } = readCommandLine(USAGE, {
  allowPositionals: true,
  options: { 'passwords-only': { type: 'boolean' } },
})
const [named, second] = positionals
if (second !== undefined) badUsage(USAGE, `Unexpected argument '${second}'`)
const file = resolve(named ?? join(import.meta.dirname, '.env'))
if (!existsSync(dirname(file))) badUsage(USAGE, `There is no folder ${dirname(file)}`)
const isThere = existsSync(file)
const settings = values['passwords-only'] ? '' : SETTINGS
const given = isThere ? readFileSync(file, 'utf8') : settings
const lacking = SECRETS.filter((name) => !new RegExp(`^${name}=(?!${NOTHING})`, 'm').test(given))
if (lacking.length > 0) writeWhole(file, lacking.reduce(withPassword, given))
if (!isThere) console.log(`Wrote ${file}`)
else console.log(lacking.length > 0 ? `Added ${lacking.join(', ')} to ${file}` : `Kept ${file}`)

/**
 * Fills the empty line of that name if there is one, because Kubernetes accepts no name twice.
 *
 * @param {string} text
 * @param {string} name
 */
function withPassword(text, name) {
  const line = `${name}=${newPassword()}`
  const empty = new RegExp(`^${name}=${NOTHING}`, 'm')
  if (empty.test(text)) return text.replace(empty, line)
  return `${text.replace(/[^\n]$/, '$&\n')}${line}\n`
}
