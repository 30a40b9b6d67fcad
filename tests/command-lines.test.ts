import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { childEnv } from '../deploy/local/paths.mjs'
import { run } from '../deploy/local/processes/run.mjs'
import { ROOT } from './support/documents.ts'

const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
const NAMES = Object.keys(scripts).filter((name) => !['test', 'check', 'build'].includes(name))
const OPERATOR = 'deploy/local/operator.mjs'
// With these addresses, the operator's commands do not look for a running forum.
const FORUM = { NATS_URL: 'nats://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/none' }

const BAD = [
  ['start --bogus', "Unknown option '--bogus'."],
  ['database now', "Unexpected argument 'now'."],
  ['demo --bogus', "Unknown option '--bogus'."],
  ['demo --url here', '"here" is not the address of a forum.'],
  ['bench --only nosuch', 'There is no case nosuch: --list names them all.'],
  [
    'bench --only vote --rounds few',
    '--rounds must be a whole number from 1 to 100000000, not "few".',
  ],
  [
    'bench --profile nosuch',
    'There is no service nosuch: they are content, scanner, search, ranking, gateway.',
  ],
  ['bench:compare', 'Say which checkout to compare with: --with.'],
  ['bench:compare --with /nonexistent', 'There is no folder /nonexistent.'],
  ['bench:compare --with . --only nosuch', 'There is no nosuch to compare.'],
  ['bench:seed --posts many', '--posts must be a whole number from 0 to 100000000, not "many".'],
  ['bench:seed --until soon', '--until must be a time in the past.'],
  ['eval:scanner --bogus', "Unknown option '--bogus'."],
  ['eval:scanner --corpus /nonexistent', 'There is no corpus /nonexistent.'],
  ['scan', 'Name one file to scan.'],
  [
    'scan /nonexistent',
    "/nonexistent cannot be read: ENOENT: no such file or directory, open '/nonexistent'.",
  ],
  ['rebuild everything', 'Name what to rebuild: ranking or search.'],
  ['dead-letters replay', 'Name one letter by its number.'],
  ['dead-letters replay all', 'Name one letter by its number.'],
  ['dead-letters replay 1 2', 'Name one letter by its number.'],
  ['dead-letters list 5', 'There is no command "list 5".'],
  ['admin nosuch', 'Name one of these commands.'],
  ['admin key create', 'Too few words: key create <handle>.'],
  ['admin key revoke key_1 key_2', 'Too many words: key revoke <id or prefix>.'],
  ['admin moderator list alice', 'Too many words: moderator list.'],
  ['admin webhook replay evt_1 evt_2', 'Too many words: webhook replay [event id].'],
] as const

/** Runs a script without npm, which takes half a second of every run. */
function npmRun(name: string, words: readonly string[], env: Record<string, string> = {}) {
  return runLine([...scripts[name].replace(/^exec /, '').split(' '), ...words], env)
}

async function runLine([command = '', ...args]: readonly string[], env = {}) {
  const options = { command, args, cwd: ROOT, timeoutMs: 60_000 }
  const { code, output } = await run({ ...options, env: childEnv(env) })
  return { code, output: output.trim() }
}

describe('the command line', () => {
  it.each(BAD)(
    'refuses "%s" with the problem, the usage and exit code 2',
    async (line, problem) => {
      const [name = '', ...words] = line.split(' ')

      const { code, output } = await npmRun(name, words, FORUM)

      expect(output.split('\n').slice(0, 2)).toEqual([problem, ''])
      expect(output).toMatch(new RegExp(`^usage: npm (run )?${name}\\b`, 'm'))
      expect(output).not.toMatch(/^ +at /m)
      expect(code).toBe(2)
    },
  )

  it.each([
    [[], 'Name a command.'],
    [['nosuch', '17'], 'There is no command "nosuch".'],
    [['constructor'], 'There is no command "constructor".'],
    [['--bogus'], "Unknown option '--bogus'."],
  ])(
    'refuses an operator command that does not exist, and lists the existing ones: %j',
    async (words, problem) => {
      const { code, output } = await runLine(['node', OPERATOR, ...words])

      expect(output).toBe(`${problem}\n\nusage: npm run admin|rebuild|dead-letters [-- --help]`)
      expect(code).toBe(2)
    },
  )

  it.each([['--help'], ['tests/docs', '-t', 'a name', '--help']])(
    'shows the usage of the tests on --help and runs none: %j',
    async (...words) => {
      const { code, output } = await npmRun('test', words)

      expect(output).toMatch(/^usage: npm test -- /)
      expect(code).toBe(0)
    },
  )

  it('shows the usage of the operator program on --help', async () => {
    const { code, output } = await runLine(['node', OPERATOR, '--help'])

    expect(output).toMatch(/^usage: npm run admin\|rebuild\|dead-letters/)
    expect(code).toBe(0)
  })

  it.each([
    ['deploy/generate-env.mjs', '--bogus', "Unknown option '--bogus'."],
    ['deploy/generate-env.mjs', 'a b', "Unexpected argument 'b'."],
    ['deploy/generate-env.mjs', '/nonexistent/.env', 'There is no folder /nonexistent.'],
    ['services/content/dist/cli/migrate.js', '--bogus', "Unknown option '--bogus'."],
    ['services/content/dist/cli/migrate.js', 'now', "Unexpected argument 'now'."],
  ])('refuses a call of %s with the problem and the usage: %s', async (program, words, problem) => {
    const { code, output } = await runLine(['node', program, ...words.split(' ')], FORUM)

    expect(output).toMatch(new RegExp(`^${problem}\n\nusage: node ${program}`))
    expect(code).toBe(2)
  })

  it.each(['--help', 'my.desk', 'my desk'])(
    'refuses an invalid consumer name of the alert consumer with the usage: %s',
    async (words) => {
      const program = 'docs/examples/alert-consumer.mjs'

      const { code, output } = await runLine(['node', program, ...words.split(' ')], FORUM)

      expect(output).toMatch(/^usage: node alert-consumer\.mjs/)
      expect(code).toBe(2)
    },
  )

  it.each([
    [
      'admin moderator list',
      'The database cannot be used now',
      'PostgreSQL runs and that DATABASE_URL',
    ],
    [
      'admin counters check',
      'The database cannot be used now',
      'PostgreSQL runs and that DATABASE_URL',
    ],
    ['dead-letters', 'The bus does not answer', 'the forum runs and that NATS_URL'],
    ['rebuild ranking', 'The bus does not answer', 'the forum runs and that NATS_URL'],
  ])(
    'says for "%s" which server is unreachable and which variable names it',
    async (line, problem, question) => {
      const [name = '', ...words] = line.split(' ')

      const { code, output } = await npmRun(name, words, FORUM)

      expect(output).toMatch(
        new RegExp(`^${problem}( \\(.*refused.*\\))?: check that ${question} is right\\.$`, 'i'),
      )
      expect(code).toBe(1)
    },
  )

  it.each([
    ['', "is not set: set it to the address of the forum's PostgreSQL database"],
    ['postgresql://stoa:secret/@127.0.0.1/stoa', 'cannot be read: '],
    ['http://stoa:secret@forum.example', 'is not postgresql://…'],
  ])('names an unusable DATABASE_URL without showing its password: %j', async (url, problem) => {
    for (const program of ['admin.js moderator list', 'migrate.js']) {
      const words = `node services/content/dist/cli/${program}`.split(' ')

      const { code, output } = await runLine(words, { DATABASE_URL: url })

      expect(output).toContain(`bad configuration\n  DATABASE_URL: ${problem}`)
      expect(output).not.toMatch(/secret|forum\.example/)
      expect(code).toBe(1)
    }
  })

  it('names DATABASE_URL if the host of the database cannot be resolved', async () => {
    const { code, output } = await npmRun('admin', ['moderator', 'list'], {
      DATABASE_URL: 'postgres://nobody.invalid/none',
    })

    expect(output).toMatch(
      /^The database cannot be used now \(getaddrinfo .*DATABASE_URL is right\.$/,
    )
    expect(code).toBe(1)
  })

  it.each([
    ['admin moderator list', 'The database cannot be used now'],
    ['admin counters check', 'The database cannot be used now'],
    ['dead-letters', 'The bus does not answer'],
    ['rebuild ranking', 'The bus does not answer'],
  ])(
    'ends "%s" and names the server if that accepts connections but stays silent',
    async (line, problem) => {
      const silent = createServer()
      await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
      const { port } = silent.address() as AddressInfo
      const [name = '', ...words] = line.split(' ')

      const { code, output } = await npmRun(name, words, {
        NATS_URL: `nats://127.0.0.1:${port}`,
        DATABASE_URL: `postgres://127.0.0.1:${port}/none`,
      })
      silent.close()

      expect(output).toContain(problem)
      expect(code).toBe(1)
    },
  )

  it.each(NAMES)('shows the usage of the script %s on --help', async (name) => {
    const { code, output } = await npmRun(name, ['--help'])

    expect(output).toMatch(new RegExp(`^usage: npm (run )?${name}\\b`))
    expect(code).toBe(0)
  })
})
