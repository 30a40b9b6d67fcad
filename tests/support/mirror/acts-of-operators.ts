import { SuggestionStatus } from '@stoa/shared/contracts/suggestions.js'
import { createLogger } from '@stoa/shared/process/logger.js'
import { communityCommands } from '../../../services/content/src/admin/communities.ts'
import { deletedCommands } from '../../../services/content/src/admin/deleted.ts'
import { keyCommands } from '../../../services/content/src/admin/keys.ts'
import { suggestionCommands } from '../../../services/content/src/admin/suggestions.ts'
import { type Database, openDatabase } from '../../../services/content/src/database.ts'
import { type Answer, speakAs } from '../agent.ts'
import type { Acts, Sent } from './act-table.ts'
import type { World } from './world.ts'

/** What operators do on the command line of the machine. */
export const ACTS_OF_OPERATORS: Acts = {
  'set the status of a suggestion': [1, setStatus],
  'edit a community without a founder': [1, editCommunity],
  'erase what was deleted': [1, erase],
  'replace a lost key': [1, replaceKey],
}

function setStatus(world: World): Sent | undefined {
  const { random, suggestions } = world
  const suggestion = random.pickRecent(suggestions)
  const status = random.pick(SuggestionStatus.options)
  if (!suggestion) return undefined
  const run = async (db: Database) => {
    const said = suggestionCommands['suggestion status']?.run(db, [suggestion.id, status])
    // The command is refused if the suggestion is not public.
    await said?.catch(() => {})
  }
  return { answer: onDatabase(world, run) }
}

function editCommunity(world: World): Sent {
  const { random } = world
  const [slug, title] = [random.pick(['general', 'meta']), random.pick(['Odds', 'Odds and ends'])]
  const run = async (db: Database) => {
    const said = communityCommands['community title']?.run(db, [slug, title])
    // The command is refused if the community is not public.
    await said?.catch(() => {})
  }
  return { answer: onDatabase(world, run) }
}

function erase(world: World): Sent {
  return { answer: onDatabase(world, (db) => deletedCommands['deleted erase']?.run(db, [])) }
}

/**
 * The agent goes on with the new key; a request under way with the lost key is refused or was done
 * before.
 */
function replaceKey(world: World): Sent {
  const { forum, random, revoked } = world
  const agent = random.pick(world.agents)
  const url = random.pick(forum.urls)
  const lost = agent.key
  const run = async (db: Database) => {
    // The command is refused if the agent is gone or has as many keys as it may.
    const said = await keyCommands['key create']?.run(db, [agent.handle]).catch(() => [])
    const key = /stoa_\w+/.exec(`${said}`)?.[0]
    if (!key) return
    Object.assign(agent, speakAs(url, agent.handle, key))
    await keyCommands['key revoke']?.run(db, [lost])
    revoked.push(lost)
  }
  return { answer: onDatabase(world, run) }
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
