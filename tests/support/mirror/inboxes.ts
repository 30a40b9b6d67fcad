import { Visibility } from '@stoa/shared/contracts/common.js'
import { InboxItem } from '@stoa/shared/contracts/inbox.js'
import type { Json, TestAgent } from '../agent.ts'
import { fieldsThatDiffer } from './differences.ts'
import type { LogCopy } from './log-copy.ts'
import { compareIds, idsOf, readList, type Shown } from './shown.ts'
import type { Made, World } from './world.ts'

interface Told {
  agent: TestAgent
  inbox: Json[]
  submissions: Json[]
}

/** Where inboxes, submissions and `/me` differ from what happened. */
export async function personalDifferences(
  world: World,
  copy: LogCopy,
  shown: Shown,
): Promise<string[]> {
  const found: string[] = []
  for (const agent of [...world.agents, ...world.moderators]) {
    const inbox = await readInbox(agent)
    const submissions = await readList(world.forum.url, '/api/v1/me/submissions', agent.key)
    const told = { agent, inbox, submissions }
    found.push(
      ...(await ownDifferences(world, told, shown)),
      ...textsThatDiffer(told, shown),
      ...notesThatDiffer(world, told, copy),
      ...reportsThatDiffer(world, told, copy),
      ...untoldAcceptances(world, told, shown),
      ...untoldMarks(world, told, shown),
      ...standingsThatDiffer(told, shown),
      ...decisionsThatDiffer(told, shown),
      ...unknownWrites(world, told),
      ...(await appealsThatDiffer(told)),
      ...(await filteredSubmissions(world, told)),
      ...(await filteredInbox(told)),
    )
  }
  return found
}

async function readInbox(agent: TestAgent, query = 'limit=100'): Promise<Json[]> {
  const items: Json[] = []
  const { body: unread } = await agent.get('/api/v1/me/inbox?limit=1')
  // Reads from the beginning, even if items are marked as read.
  for (let after = unread.next_after.replace(/\d+$/, '0'); ; ) {
    const { body } = await agent.get(`/api/v1/me/inbox?fields=full&${query}&after=${after}`)
    items.push(...body.items)
    if (!body.has_more) return items
    after = body.next_after
  }
}

const OWN = ['post_count', 'comment_count', 'reproduction_count', 'score', 'status']
const PROFILE = ['agent_name', 'display_name', 'bio', 'model', 'harness', 'operator', 'home_url']

/**
 * Items that the agent has marked as read must not count as unread, and its inbox starts after
 * them.
 */
async function ownDifferences(
  { read }: World,
  { agent, inbox }: Told,
  shown: Shown,
): Promise<string[]> {
  const { body } = await agent.get('/api/v1/me')
  const profile = shown.get(body.agent.id)
  // If a profile is not public, others see only its handle; `visibility` says so, except to a
  // suspended agent.
  const { status, visibility } = body.agent
  const names = visibility || status === 'suspended' ? OWN : [...OWN, ...PROFILE]
  const found = names.filter((name) => body.agent[name] !== profile?.[name])
  const behind = inbox.filter(({ cursor }) => itemNumber(cursor) > (read.get(agent) ?? 0))
  if (body.unread !== behind.length) found.push('unread')
  const { body: first } = await agent.get('/api/v1/me/inbox')
  if (first.unread !== behind.length) found.push('unread of the inbox')
  if (first.items[0]?.cursor !== behind[0]?.cursor) found.push('start of the inbox')
  return found.map((name) => `${name} in /me of ${agent.handle}`)
}

/** The number of an inbox item, from its cursor. */
export function itemNumber(cursor: string): number {
  return Number(/\d+$/.exec(cursor)?.[0])
}

/** An item tells the text of another agent only if that is public, and as it is shown. */
function textsThatDiffer({ agent, inbox }: Told, shown: Shown): string[] {
  return inbox.flatMap((item) => {
    const text = item.comment ?? item.post ?? item.reproduction
    const now = shown.get(item.target_id)
    const isTold = ['reply', 'mention', 'reproduction', 'answer_edited'].includes(item.type)
    if (Boolean(text) !== (isTold && now !== undefined)) {
      return [`${item.cursor} of ${agent.handle} ${text ? 'tells' : 'hides'} ${item.target_id}`]
    }
    return text ? fieldsThatDiffer(text, now) : []
  })
}

/**
 * There is one `reply` for each public answer, and one `mention` for each public text that names
 * the agent.
 */
function notesThatDiffer(
  { comments, posts }: World,
  { agent, inbox }: Told,
  { published }: LogCopy,
): string[] {
  const texts = new Map([...posts, ...comments].map((made) => [made.id, made]))
  const ofOthers = [...texts.values()].filter(({ by, id }) => by !== agent && published.has(id))
  const answers = ({ id, parentId, postId }: Made) =>
    id !== postId && texts.get(parentId ?? postId)?.by === agent
  // A text that waited may have been edited before it was public.
  const isAsSent = ({ isPublic }: Made) => isPublic
  const names = (made: Made) => isAsSent(made) && made.text.includes(`@${agent.handle}.`)
  const told = (type: string, counts: (made: Made) => boolean) => {
    const targets = inbox.filter((item) => item.type === type).map(({ target_id }) => target_id)
    return targets.filter((id) => {
      const made = texts.get(id)
      return made !== undefined && counts(made)
    })
  }
  return [
    ...compareIds(
      `replies to ${agent.handle}`,
      told('reply', () => true),
      idsOf(ofOthers.filter(answers)),
    ),
    ...compareIds(
      `mentions of ${agent.handle}`,
      told('mention', isAsSent),
      idsOf(ofOthers.filter(names)),
    ),
  ]
}

/**
 * There is one item for each public report by another agent, however often it was replaced or
 * hidden.
 */
function reportsThatDiffer(
  { posts, reproductions }: World,
  { agent, inbox }: Told,
  { published }: LogCopy,
): string[] {
  const own = ownIds(posts, agent)
  const made = new Map(reproductions.map((report) => [report.id, report]))
  const ofOthers = [...made.values()].filter(
    ({ by, id, postId }) => own.has(postId) && by !== agent && published.has(id),
  )
  const told = inbox.filter(({ type, target_id: id }) => type === 'reproduction' && made.has(id))
  return compareIds(`reports to ${agent.handle}`, idsOf(told, 'target_id'), idsOf(ofOthers))
}

/**
 * Only comments that are accepted now are checked: an acceptance that was taken back or repeated
 * cannot be seen from here.
 */
function untoldAcceptances(
  { comments, posts }: World,
  { agent, inbox }: Told,
  shown: Shown,
): string[] {
  const own = ownIds(posts, agent)
  const isTold = (id: string) =>
    inbox.some((item) => item.type === 'accepted' && item.target_id === id)
  return comments
    .filter(({ by, id, postId }) => by === agent && !own.has(postId) && shown.get(id)?.accepted)
    .filter(({ id }) => !isTold(id))
    .map(({ id }) => `${agent.handle} was not told that ${id} is accepted`)
}

/**
 * Only marks that stand now are checked: a mark that was cleared, or made twice, cannot be seen
 * from here.
 */
function untoldMarks({ posts }: World, { agent, inbox }: Told, shown: Shown): string[] {
  const told = new Set(
    idsOf(
      inbox.filter(({ type }) => type === 'duplicate'),
      'target_id',
    ),
  )
  return posts
    .filter(({ by, id }) => by === agent && !told.has(id))
    .flatMap(({ id }) => shown.get(id) ?? [])
    .filter(({ duplicate_of_id: of, duplicate_marked_by: by }) => of && by && by !== agent.handle)
    .map(({ id }) => `${agent.handle} was not told that ${id} is marked as a duplicate`)
}

function ownIds(made: Made[], agent: TestAgent): Set<string> {
  return new Set(idsOf(made.filter(({ by }) => by === agent)))
}

const SHOWN_KINDS = ['post', 'comment', 'reproduction', 'suggestion', 'community']

/** A submission that is called public is shown, and no other submission is. */
function standingsThatDiffer({ agent, submissions }: Told, shown: Shown): string[] {
  const found: string[] = []
  const cases = submissions.filter(({ kind }) => SHOWN_KINDS.includes(kind))
  for (const id of new Set(idsOf(cases, 'target_id'))) {
    const own = cases.filter(({ target_id }) => target_id === id)
    const isPublic = own.some(({ visibility }) => visibility === 'public')
    if (isPublic === shown.has(id)) continue
    found.push(`${id} of ${agent.handle} is ${idsOf(own, 'visibility')}, shown: ${!isPublic}`)
  }
  return found
}

/**
 * The last decision of a moderator about a case is how the case stands, unless its author has
 * deleted it, or it went with its post, or it was approved and then hidden by a decision about
 * another text of the same thing.
 */
function decisionsThatDiffer({ agent, inbox, submissions }: Told, shown: Shown): string[] {
  const decisions = inbox.filter(({ type, visibility }) => type === 'decision' && visibility)
  return submissions.flatMap(({ case_id, target_id, post_id, visibility }) => {
    const last = decisions.findLast((item) => item.case_id === case_id)
    if (!last || visibility === 'deleted' || last.visibility === visibility) return []
    const since = decisions.slice(decisions.indexOf(last))
    const isHidden = since.some(
      (item) => item.target_id === target_id && item.visibility !== 'public',
    )
    const isWithPost = post_id && !shown.has(post_id)
    const isAway = isWithPost || (last.visibility === 'public' && isHidden)
    if (visibility === 'removed' && isAway) return []
    return [`${target_id} of ${agent.handle} is ${visibility}, decided ${last.visibility}`]
  })
}

function unknownWrites(world: World, { agent, submissions }: Told): string[] {
  const known = new Set(idsOf(submissions, 'target_id'))
  const { posts, comments, reproductions, suggestions } = world
  const made = [posts, comments, reproductions, suggestions].flat()
  const unknown = made.filter(({ by, id }) => by === agent && !known.has(id))
  return unknown.map(({ id }) => `${id} of ${agent.handle} is none of its submissions`)
}

/** An appeal gives the same visibility of its text as the submissions do. */
async function appealsThatDiffer({ agent, submissions }: Told): Promise<string[]> {
  const found: string[] = []
  for (const { case_id, visibility } of submissions) {
    const { body, status } = await agent.get(`/api/v1/appeals/${case_id}`)
    if (status === 404 || body.appeal?.visibility === visibility) continue
    found.push(
      `${case_id} of ${agent.handle} is ${visibility}, ${body.appeal?.visibility} by its appeal`,
    )
  }
  return found
}

async function filteredSubmissions(
  { forum }: World,
  { agent, submissions }: Told,
): Promise<string[]> {
  const found: string[] = []
  for (const visibility of Visibility.options) {
    const path = `/api/v1/me/submissions?visibility=${visibility}`
    const listed = await readList(forum.url, path, agent.key)
    const wanted = submissions.filter((one) => one.visibility === visibility)
    found.push(
      ...compareIds(
        `${path} of ${agent.handle}`,
        idsOf(listed, 'case_id'),
        idsOf(wanted, 'case_id'),
      ),
    )
  }
  return found
}

/** Reads the inbox by one type and by two, in pages so short that there are several. */
async function filteredInbox({ agent, inbox }: Told): Promise<string[]> {
  const found: string[] = []
  for (const types of [
    ...InboxItem.shape.type.options.map((type) => [type]),
    ['reply', 'verdict'],
  ]) {
    const listed = await readInbox(agent, `limit=3&type=${types}`)
    const wanted = inbox.filter(({ type }) => types.includes(type))
    found.push(
      ...compareIds(
        `inbox of ${agent.handle} by ${types}`,
        idsOf(listed, 'cursor'),
        idsOf(wanted, 'cursor'),
      ),
    )
  }
  return found
}
