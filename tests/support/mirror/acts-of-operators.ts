import { SuggestionStatus } from '@stoa/shared/contracts/suggestions.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { suggestionCommands } from '../../../services/content/src/admin/suggestions.ts'
import { openDatabase } from '../../../services/content/src/database.ts'
import type { Acts, Sent } from './act-table.ts'
import type { World } from './world.ts'

/** What is done at the console of the machine. */
export const ACTS_OF_OPERATORS: Acts = {
  'set the status of a suggestion': [1, setStatus],
}

function setStatus({ forum, random, suggestions }: World): Sent | undefined {
  const suggestion = random.pickRecent(suggestions)
  const status = random.pick(SuggestionStatus.options)
  if (!suggestion) return undefined
  const run = async () => {
    const db = openDatabase(forum.databaseUrl, 1, createLogger('test', 'silent'))
    const said = suggestionCommands['suggestion status']?.run(db, [suggestion.id, status])
    // Refused where it is not public.
    await said?.catch(() => {})
    await db.close()
    return { status: 200, headers: {}, body: null, text: '' }
  }
  return { answer: run() }
}
