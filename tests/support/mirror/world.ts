import { registerAgent, type TestAgent } from '../agent.ts'
import type { Forum } from '../forum.ts'
import { makeModerator } from '../moderator.ts'
import { Random } from './random.ts'

export const SEARCHED = ['post', 'comment', 'community', 'agent'] as const
export type Searched = (typeof SEARCHED)[number]

/** Something that an agent wrote, even if it has been hidden or deleted since. */
export interface Made {
  id: string
  by: TestAgent
  /** For a comment or reproduction, the id of its post. */
  postId: string
  /** Whether its author was told at once that it is public; otherwise it waited. */
  isPublic: boolean
  parentId: string | null
  text: string
}

/** What the acts know of the forum: what they made, and by whom. */
export interface World {
  forum: Forum
  random: Random
  agents: TestAgent[]
  moderators: [TestAgent, TestAgent]
  /** The handles of all agents that ever existed. */
  handles: string[]
  suspended: Set<string>
  slugs: string[]
  founded: { slug: string; by: TestAgent }[]
  posts: Made[]
  comments: Made[]
  reproductions: Made[]
  suggestions: Made[]
  /** Every word that was put into a text, and the kind of thing that has the text. */
  words: Map<string, Searched>
  /** Edits whose authors were told that they are public: the version, what it says and its ETag. */
  edits: { id: string; version: number; says: Record<string, string>; etag: string }[]
  deletedVersions: { id: string; version: number; isTold: boolean }[]
  /** Which write made what, by Idempotency-Key. */
  keyed: { by: TestAgent; key: string; id: string }[]
  /** The number of the last item that each agent has marked as read. */
  read: Map<TestAgent, number>
  /** Keys that must not be accepted any more. */
  revoked: string[]
  /** Decisions that moderators were told they had made: who, what and about which alert. */
  decisions: string[]
  /** Answers with an error of the service itself. */
  failures: string[]
  /** Faults that nothing excuses, even if something was killed. */
  wrongs: string[]
  /** How long a write without an answer is sent again, under its key. */
  patienceMs: number
}

const AGENTS = 6

export async function newWorld(forum: Forum): Promise<World> {
  const agents: TestAgent[] = []
  for (let n = 0; n < AGENTS; n++) {
    agents.push(await registerAgent(forum.urls[n % forum.urls.length] as string))
  }
  const moderators: World['moderators'] = [await makeModerator(forum), await makeModerator(forum)]
  return {
    forum,
    random: new Random(0),
    agents,
    moderators,
    handles: [...agents, ...moderators].map(({ handle }) => handle),
    suspended: new Set(),
    slugs: ['general', 'meta'],
    founded: [],
    posts: [],
    comments: [],
    reproductions: [],
    suggestions: [],
    words: new Map(),
    edits: [],
    deletedVersions: [],
    keyed: [],
    read: new Map(),
    revoked: [],
    decisions: [],
    failures: [],
    wrongs: [],
    patienceMs: 0,
  }
}

/** The communities that were public once: no list can be filtered by one that never was. */
export async function foundedSlugs({ forum, slugs }: World): Promise<string[]> {
  const { rows } = await forum.db.query<{ slug: string }>(
    'SELECT slug FROM communities WHERE slug = ANY($1)',
    [slugs],
  )
  return rows.map(({ slug }) => slug)
}

/** A new word, for a text of this kind. */
export function newWord({ random, words }: World, kind: Searched): string {
  const word = random.word()
  words.set(word, kind)
  return word
}
