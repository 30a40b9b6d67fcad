import { readCommandLine } from '@stoa/shared/process/command-line.mjs'
import { readConfig } from '@stoa/shared/process/config.js'
import { DatabaseConfig } from '../config.ts'
import { migrate } from '../migrate.ts'

/** Brings the database named by DATABASE_URL up to date, and says what it did. */
readCommandLine('usage: node services/content/dist/cli/migrate.js   (with DATABASE_URL)', {})
try {
  await migrate(readConfig(DatabaseConfig).DATABASE_URL, {
    onWait: () => console.log('waiting: another migration or a backup holds the tables'),
  })
  console.log('the database is up to date')
} catch (error) {
  console.error(`the database could not be migrated: ${(error as Error).message}`)
  process.exit(1)
}
