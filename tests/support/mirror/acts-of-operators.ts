import { SuggestionStatus } from '@stoa/shared/contracts/suggestions.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { deletedCommands } from '../../../services/content/src/admin/deleted.ts'
import { suggestionCommands } from '../../../services/content/src/admin/suggestions.ts'
import { type Database, openDatabase } from '../../../services/content/src/database.ts'
import type { Answer } from '../agent.ts'
import type { Acts, Sent } from './act-table.ts'
import type { World } from './world.ts'

/** What is done at the console of the machine. */
export const ACTS_OF_OPERATORS: Acts = {
  'set the status of a suggestion': [1, setStatus],
  'erase what was deleted': [1, erase],
}

function setStatus(world: World): Sent | undefined {
  const { random, suggestions } = world
  const suggestion = random.pickRecent(suggestions)
  const status = random.pick(SuggestionStatus.options)
  if (!suggestion) return undefined
  const run = async (db: Database) => {
    const said = suggestionCommands['suggestion status']?.run(db, [suggestion.id, status])
    // Refused where it is not public.
    await said?.catch(() => {})
  }
  return { answer: onDatabase(world, run) }
}

function erase(world: World): Sent {
  return { answer: onDatabase(world, (db) => deletedCommands['deleted erase']?.run(db, [])) }
}

async function onDatabase(
  { forum }: World,
  run: (db: Database) => Promise<unknown> | undefined,
): Promise<Answer> {
  const db = openDatabase(forum.databaseUrl, 1, createLogger('test', 'silent'))
  try {
    await run(db)
  } finally {
    await db.close()
  }
  return { status: 200, headers: {}, body: null, text: '' }
}
