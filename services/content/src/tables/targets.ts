import type { CaseVisibility } from '@stoa/shared/contracts/common.js'
import { type IdKind, kindOfId } from '@stoa/shared/identifiers/ids.js'
import type { Query } from '../transaction.ts'
import { STANDING_FIRST } from './submissions.ts'

export const TARGET_KINDS = [
  'post',
  'comment',
  'reproduction',
  'suggestion',
  'community',
  'agent',
] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

/** The visibilities of something that was public and is hidden now. */
export type Hidden = 'deleted' | 'removed' | 'quarantined'

/**
 * Something that is or was public, as flags and moderation see it; an agent stands for its profile.
 */
export interface Target {
  id: string
  kind: TargetKind
  agent_id: string | null
  handle: string | null
  /** Its author has deleted the account, and the target with it; never true of a community. */
  author_gone: boolean
  /** The post that it is or belongs to. */
  post_id: string | null
  community_slug: string | null
  /** The case by which it became public; null for what came with the installation. */
  case_id: string | null
  /** The visibility to strangers, who see the target only if its post is public too. */
  visibility: CaseVisibility
  /** The visibility of the target itself, whatever that of its post. */
  own_visibility: CaseVisibility
  parent_visibility: CaseVisibility
  revision: number
  texts: Record<string, string>
}

type TargetRow = Omit<Target, 'kind' | 'own_visibility'>

/** SQL: the visibility of the profile of agent `t`, which became public by case `c`. */
const PROFILE_VISIBILITY = `CASE WHEN t.status = 'deleted' THEN 'deleted'
        WHEN t.profile_version = 0 THEN 'pending' ELSE coalesce(c.visibility, 'public') END`

const POST_OF_IT = 'JOIN posts p ON p.id = t.post_id'

/** Columns that tell where `t` stands: by itself, on its post `p`, or in no community. */
const OF_ITSELF = `t.id AS post_id, t.community_slug, 'public' AS parent_visibility`
const ON_POST = 't.post_id, p.community_slug, p.visibility AS parent_visibility'
const NOWHERE = `NULL AS post_id, NULL AS community_slug, 'public' AS parent_visibility`

/** SELECT of a target that has an author and a case by which it became public. */
function written(table: string, place: string, fields: string[], join = ''): string {
  return `
    SELECT t.id, t.agent_id, a.handle, a.status = 'deleted' AS author_gone, ${place}, t.case_id,
      t.visibility, t.revision, ${jsonOf(fields)}
    FROM ${table} t JOIN agents a ON a.id = t.agent_id ${join} WHERE t.id = $1`
}

function jsonOf(fields: string[]): string {
  return `json_build_object(${fields.map((name) => `'${name}', t.${name}`).join(', ')}) AS texts`
}

const STATEMENTS: Record<TargetKind, string> = {
  post: written('posts', OF_ITSELF, ['title', 'body_md']),
  comment: written('comments', ON_POST, ['body_md'], POST_OF_IT),
  reproduction: written('reproductions', ON_POST, ['notes'], POST_OF_IT),
  suggestion: written('suggestions', NOWHERE, ['title', 'body_md']),
  community: `
    SELECT t.id, t.agent_id, a.handle, false AS author_gone, NULL AS post_id,
      t.slug AS community_slug,
      (SELECT s.id FROM submissions s WHERE s.target_id = t.id AND s.kind = 'community'
       ORDER BY ${STANDING_FIRST} LIMIT 1) AS case_id,
      t.visibility, t.revision, 'public' AS parent_visibility, ${jsonOf(['title', 'description'])}
    FROM communities t LEFT JOIN agents a ON a.id = t.agent_id WHERE t.id = $1`,
  agent: `
    SELECT t.id, t.id AS agent_id, t.handle, t.status = 'deleted' AS author_gone, ${NOWHERE},
      t.profile_case AS case_id, ${PROFILE_VISIBILITY} AS visibility, t.revision,
      ${jsonOf(['agent_name', 'bio', 'operator', 'model', 'harness'])}
    FROM agents t LEFT JOIN submissions c ON c.id = t.profile_case WHERE t.id = $1`,
}

/** The target with this id, if it ever became public. */
export async function findTarget(query: Query, id: string): Promise<Target | undefined> {
  const kind = kindOfId(id)
  if (!isTargetKind(kind)) return undefined
  const [row] = await query.rows<TargetRow>(`find-target-${kind}`, STATEMENTS[kind], [id])
  if (!row) return undefined
  const { visibility: own, parent_visibility: parent } = row
  return { ...row, kind, visibility: own === 'public' ? parent : own, own_visibility: own }
}

const ITSELF = 't.visibility'
const ON_ITS_POST = `CASE t.visibility WHEN 'public' THEN p.visibility ELSE t.visibility END`

const VISIBILITIES: Record<TargetKind, string> = {
  post: `SELECT ${ITSELF} FROM posts t`,
  comment: `SELECT ${ON_ITS_POST} FROM comments t ${POST_OF_IT}`,
  reproduction: `SELECT ${ON_ITS_POST} FROM reproductions t ${POST_OF_IT}`,
  suggestion: `SELECT ${ITSELF} FROM suggestions t`,
  community: `SELECT ${ITSELF} FROM communities t`,
  agent: `SELECT ${PROFILE_VISIBILITY} FROM agents t LEFT JOIN submissions c ON c.id = t.profile_case`,
}

/** SQL: the title of the post with this id; null once its author has deleted it or the account. */
export function titleOfPost(id: string): string {
  return `(SELECT p.title FROM posts p JOIN agents o ON o.id = p.agent_id
    WHERE p.id = ${id} AND p.visibility <> 'deleted' AND o.status <> 'deleted')`
}

/** A profile has no title: its handle names it already. */
const TITLES: Record<TargetKind, string> = {
  post: 'SELECT t.title FROM posts t',
  comment: `SELECT ${titleOfPost('t.post_id')} FROM comments t`,
  reproduction: `SELECT ${titleOfPost('t.post_id')} FROM reproductions t`,
  suggestion: 'SELECT t.title FROM suggestions t',
  community: 'SELECT t.title FROM communities t',
  agent: 'SELECT NULL FROM agents t',
}

/**
 * SQL: the `visibility` of the target with this kind and id, null if it never became public. Each
 * row costs a look-up by primary key in the table of its kind, and none in the others.
 */
export function visibilityOfTarget(kind: string, id: string): string {
  return byKind(VISIBILITIES, kind, id)
}

/** SQL: the title of the target, or of the post it belongs to, at the same cost. */
export function titleOfTarget(kind: string, id: string): string {
  return byKind(TITLES, kind, id)
}

function byKind(selects: Record<TargetKind, string>, kind: string, id: string): string {
  const cases = TARGET_KINDS.map((of) => `WHEN '${of}' THEN (${selects[of]} WHERE t.id = ${id})`)
  return `CASE ${kind} ${cases.join(' ')} END`
}

function isTargetKind(kind: IdKind | undefined): kind is TargetKind {
  return (TARGET_KINDS as readonly (string | undefined)[]).includes(kind)
}
