import { isAppError } from '@stoa/shared/errors/errors.js'
import { badUsage, readCommandLine } from '@stoa/shared/process/command-line.mjs'
import { readConfig } from '@stoa/shared/process/config.js'
import { isError } from '@stoa/shared/process/is-error.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { type Command, Refused } from '../admin/command.ts'
import { communityCommands } from '../admin/communities.ts'
import { counterCommands } from '../admin/counters.ts'
import { deletedCommands } from '../admin/deleted.ts'
import { keyCommands } from '../admin/keys.ts'
import { moderatorCommands } from '../admin/moderators.ts'
import { suggestionCommands } from '../admin/suggestions.ts'
import { webhookCommands } from '../admin/webhooks.ts'
import { DatabaseConfig } from '../config.ts'
import { type Database, openDatabase } from '../database.ts'
import { asAppError } from '../database-errors.ts'

/** The operator's commands, on the database that DATABASE_URL names. */
const COMMANDS: Record<string, Command> = {
  ...moderatorCommands,
  ...keyCommands,
  ...suggestionCommands,
  ...communityCommands,
  ...webhookCommands,
  ...counterCommands,
  ...deletedCommands,
}

/** Counting hundreds of thousands of comments of an agent takes half a minute from a cold disk. */
const STATEMENT_TIMEOUT_MS = 600_000

process.exitCode = await main()

async function main(): Promise<number> {
  const { positionals } = readCommandLine(usage(), { allowPositionals: true })
  const [noun = '', verb = '', ...words] = positionals
  const command = COMMANDS[`${noun} ${verb}`]
  if (!command) badUsage(usage(), 'Name one of these commands')
  if (words.length < command.words) badUsage(usage(), `Too few words: ${command.usage}`)
  // Extra words that were ignored without a message would seem to have been carried out.
  const most = command.words + (command.optional ?? 0)
  if (words.length > most) badUsage(usage(), `Too many words: ${command.usage}`)
  let db: Database | undefined
  try {
    const { DATABASE_URL: url } = readConfig(DatabaseConfig)
    db = openDatabase(url, 2, createLogger('admin', 'silent'), STATEMENT_TIMEOUT_MS)
    for (const line of await command.run(db, words)) console.log(line)
    return 0
  } catch (error) {
    // A command that uses a connection of its own meets the bare error of the driver.
    console.error(problemOf(asAppError(error) as Error))
    return 1
  } finally {
    await db?.close()
  }
}

function problemOf(error: Error): string {
  if (error instanceof Refused) return error.message
  if (!isAppError(error) || error.code !== 'unavailable')
    return `The command failed: ${error.message}`
  const reason = isError(error.cause) ? ` (${error.cause.message})` : ''
  return `The database cannot be used now${reason}: check that PostgreSQL runs and that DATABASE_URL is right.`
}

function usage(): string {
  const rows = Object.values(COMMANDS).map(
    (command) => `  ${command.usage.padEnd(60)} ${command.summary}`,
  )
  return ['usage: npm run admin -- <command>', '', ...rows].join('\n')
}
