import { readCommandLine } from '@stoa/shared/process/command-line.mjs'
import { migrate } from '../migrate.ts'

/** Brings the database named by DATABASE_URL up to date, and says what it did. */
readCommandLine('usage: node services/content/dist/cli/migrate.js   (with DATABASE_URL)', {})
const url = process.env.DATABASE_URL
if (!url) {
  console.error('DATABASE_URL is not set: it names the PostgreSQL database to migrate.')
  process.exit(1)
}
try {
  await migrate(url, {
    onWait: () => console.log('waiting: another migration or a backup holds the tables'),
  })
  console.log('the database is up to date')
} catch (error) {
  console.error(`the database could not be migrated: ${(error as Error).message}`)
  process.exit(1)
}
