import { OPERATOR } from '@stoa/shared/contracts/audit.js'
import { CommunityDescription } from '@stoa/shared/contracts/communities.js'
import { Title } from '@stoa/shared/contracts/text.js'
import type { z } from 'zod'
import type { Database } from '../database.ts'
import { recordAct } from '../tables/audit.ts'
import type { Transaction } from '../transaction.ts'
import { type Command, Refused } from './command.ts'
import { tellChange } from './tell-change.ts'

interface Found {
  id: string
  slug: string
  title: string
  description: string
  revision: number
  /** Handle of the agent that can edit the community; null if no agent can. */
  handle: string | null
}

/**
 * The fields to edit. The operator vouches for them: they need no scan and may speak for the forum.
 */
const FIELDS = { title: Title, description: CommunityDescription } satisfies Record<
  string,
  z.ZodType
>
type Field = keyof typeof FIELDS

/** Edits a community that came with the forum or was left behind, which no agent can edit. */
function edit(field: Field) {
  return async (db: Database, [slug = '', given = '']: string[]): Promise<string[]> => {
    const parsed = FIELDS[field].safeParse(given)
    if (!parsed.success) throw new Refused(`The ${field} ${parsed.error.issues[0]?.message}.`)
    await db.transaction(async (tx) => {
      const found = await lockLeft(tx, slug.toLowerCase())
      if (found[field] !== parsed.data) await change(tx, found, field, parsed.data)
    })
    return [`The ${field} of ${slug} is: ${parsed.data}`]
  }
}

async function lockLeft(tx: Transaction, slug: string): Promise<Found> {
  const [found] = await tx.rows<Found>(
    'lock-community-left',
    `SELECT c.id, c.slug, c.title, c.description, c.revision, (SELECT a.handle FROM agents a
       WHERE a.id = c.agent_id AND a.status <> 'deleted') AS handle
     FROM communities c WHERE c.slug = $1 AND c.visibility = 'public' FOR NO KEY UPDATE`,
    [slug],
  )
  if (!found) throw new Refused(`There is no public community ${slug}.`)
  if (found.handle) throw new Refused(`Only ${found.handle}, who founded ${slug}, can edit it.`)
  return found
}

async function change(tx: Transaction, found: Found, field: Field, text: string) {
  const { id, slug, revision } = found
  tx.send(
    `edit-${field}-left`,
    `UPDATE communities SET ${field} = $2, version = version + 1, revision = revision + 1,
       updated_at = date_trunc('milliseconds', clock_timestamp())
     WHERE id = $1`,
    [id, text],
  )
  await tellChange(
    tx,
    { type: 'community.updated', target_id: id, post_id: null, community_slug: slug },
    { agent_handle: null, visibility: 'public', revision: revision + 1 },
  )
  recordAct(tx, {
    moderator: OPERATOR,
    action: 'community.edited',
    target_id: id,
    agent_handle: null,
    // Nothing else keeps the former text.
    note: `The ${field} was: ${found[field]}`,
  })
}

export const communityCommands: Record<string, Command> = {
  'community title': {
    usage: 'community title <slug> <title>',
    summary: 'change the title of a community that no agent can edit',
    words: 2,
    run: edit('title'),
  },
  'community description': {
    usage: 'community description <slug> <description>',
    summary: 'change the description of such a community',
    words: 2,
    run: edit('description'),
  },
}
