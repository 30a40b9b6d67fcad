import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BIN_DIR } from '../paths.mjs'
import { run } from '../processes/run.mjs'

/**
 * Redis and NATS from the distribution's signed packages, without installing them:
 *
 * 1. ask apt which packages an installation would add (the servers and missing libraries);
 * 2. download those, refreshing package lists of our own when the machine has none;
 * 3. unpack them into one folder, and run the programs with that folder's libraries.
 *
 * It needs no root, changes nothing on the system, and starts no system service.
 */

const WANTED = ['redis-server', 'redis-tools', 'nats-server']
const UNPACKED = join(BIN_DIR, 'debian')
const WORK = join(BIN_DIR, `apt-${process.pid}`)
const APT_TIMEOUT_MS = 180_000

/** @type {Promise<{ folders: string[], libraries: string[] }> | undefined} */
let fetching

/**
 * @returns {Promise<{ folders: string[], libraries: string[] }>} where programs and libraries are
 * @throws {Error} the reason, short enough for the end of a sentence
 */
export function fetchDebianServers() {
  fetching ??= fetchOnce()
  return fetching
}

async function fetchOnce() {
  if (!existsSync(UNPACKED)) await fetchAndUnpack()
  const triplet = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
  return {
    folders: ['usr/bin', 'usr/sbin'].map((folder) => join(UNPACKED, folder)),
    libraries: ['usr/lib', 'lib'].map((folder) => join(UNPACKED, folder, triplet)),
  }
}

async function fetchAndUnpack() {
  console.log('Fetching Redis and NATS from the distribution (not installing them) ...')
  // A killed run that had the same process id may have left this folder.
  rmSync(WORK, { recursive: true, force: true })
  try {
    await unpackInto(join(WORK, 'root'))
    // Another run may have put its own copy there in the meantime, which is as good.
    if (!existsSync(UNPACKED)) renameSync(join(WORK, 'root'), UNPACKED)
  } finally {
    rmSync(WORK, { recursive: true, force: true })
  }
}

/** @param {string} folder */
async function unpackInto(folder) {
  mkdirSync(join(WORK, 'debs'), { recursive: true })
  const own = ownLists()
  await download([]).catch(async () => {
    await apt(own, ['update'])
    await download(own)
  })
  for (const deb of readdirSync(join(WORK, 'debs'))) {
    const args = ['-x', join(WORK, 'debs', deb), folder]
    const { code, output } = await run({ command: 'dpkg-deb', args })
    if (code !== 0) throw new Error(`${deb} could not be unpacked: ${output.trim()}`)
  }
}

/**
 * @param {string[]} options which package lists to use
 * @throws {Error} when the packages cannot be had from these package lists
 */
async function download(options) {
  const plan = await apt(options, ['--simulate', '--no-install-recommends', 'install', ...WANTED])
  const added = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '')
  const packages = [...new Set([...WANTED, ...added])]
  await apt(options, ['download', ...packages])
}

/**
 * @param {string[]} options
 * @param {string[]} args
 * @returns {Promise<string>} what it printed
 */
async function apt(options, args) {
  const { code, output } = await run({
    command: 'apt-get',
    // The user that root downloads as by default may not write to our folders.
    args: ['-o', 'APT::Sandbox::User=root', ...options, ...args],
    env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    cwd: join(WORK, 'debs'),
    timeoutMs: APT_TIMEOUT_MS,
  })
  if (code === 0) return output
  const [problem] = output.split('\n').filter((line) => /^E: /.test(line))
  throw new Error(problem ?? `apt-get failed: ${output.trim().split('\n').at(-1)}`)
}

/**
 * The options for package lists in our own folder: the system's lists may be absent, and changing
 * them needs root.
 */
function ownLists() {
  for (const folder of ['state/lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(WORK, folder), { recursive: true })
  }
  const settings = {
    'Dir::State': join(WORK, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(WORK, 'cache'),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}
