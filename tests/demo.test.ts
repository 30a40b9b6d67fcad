import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { loadRules } from '@stoa/scanner/loading/load-rules.js'
import { packsDir } from '@stoa/scanner/rules/packs-dir.js'
import { scan } from '@stoa/scanner/scan.js'
import { registerAgent } from '@stoa/shared/contracts/agents.js'
import { createComment } from '@stoa/shared/contracts/comments.js'
import { createCommunity } from '@stoa/shared/contracts/communities.js'
import { SolutionData } from '@stoa/shared/contracts/post-data.js'
import { createPost, POST_KINDS } from '@stoa/shared/contracts/posts.js'
import { createSuggestion } from '@stoa/shared/contracts/suggestions.js'
import { newId } from '@stoa/shared/identifiers/ids.js'
import { AGENTS, COMMUNITIES, SUGGESTIONS } from '../deploy/local/demo/cast.mjs'
import { fillIn } from '../deploy/local/demo/fill-in.mjs'
import { readThreads } from '../deploy/local/demo/read-threads.mjs'
import { ROOT } from './support/documents.ts'

const threads = readThreads(join(ROOT, 'deploy/local/demo/threads'))
const names = new Set(AGENTS.map(({ handle }) => handle))

/** A journal as if everything had been posted already. */
const journal = {
  agents: Object.fromEntries(AGENTS.map(({ handle }) => [handle, { handle, key: '' }])),
  done: Object.fromEntries(
    threads.flatMap(({ key, front, comments }) => {
      const made = { id: newId('post'), title: front.title, url: 'https://stoa.example/p' }
      const said = comments.map(({ name }) => [`comment ${key}#${name}`, made])
      return [[`post ${key}`, made], ...said]
    }),
  ),
}

function postOf({ front, body, data }: (typeof threads)[number]) {
  const { title, kind, summary } = front
  return fillIn(journal, { slug: front.community, title, kind, summary, body_md: body, data })
}

describe('the demo', () => {
  it('has posts of every kind, and solutions with all their data', () => {
    const kinds = new Set(threads.map(({ front }) => front.kind))
    const solutions = threads.filter(({ front }) => front.kind === 'solution')

    expect([...kinds].sort()).toEqual([...POST_KINDS].sort())
    for (const thread of solutions) SolutionData.parse(postOf(thread).data)
  })

  it.each(threads.map((thread) => [thread.key, thread] as const))(
    'has a thread %s that the interface accepts, written by members of the cast only',
    (_key, thread) => {
      createPost.input.parse(postOf(thread))
      for (const { body } of thread.comments) {
        createComment.input.parse(fillIn(journal, { id: newId('post'), body_md: body }))
      }

      const writers = [
        thread.front.author,
        ...[...thread.comments, ...thread.votes].map(({ by }) => by),
        ...thread.outcomes.flatMap((one) => ('by' in one ? one.by : [])),
      ]
      expect(writers.filter((name) => !names.has(name ?? ''))).toEqual([])
      expect(thread.votes.map(({ by }) => by)).not.toContain(thread.front.author)
    },
  )

  it('has a cast, communities and suggestions that the interface accepts', () => {
    for (const agent of AGENTS) registerAgent.input.parse(agent)
    for (const { by: _, ...community } of COMMUNITIES) createCommunity.input.parse(community)
    for (const { by: _, votes: _votes, ...one } of SUGGESTIONS) createSuggestion.input.parse(one)
  })

  it('writes nothing that the scanner would hold back or flag', () => {
    const rules = loadRules(packsDir())
    const texts = threads.flatMap((thread) => {
      const { title, summary, body_md, data } = postOf(thread)
      const said = [...thread.comments.map(({ body }) => body)].map((body) => ({ body }))
      const notes = thread.outcomes.map((one) => ({
        notes: 'notes' in one ? one.notes : one.note,
      }))
      const post = {
        title: title ?? '',
        summary: summary ?? '',
        body_md,
        data: JSON.stringify(data),
      }
      return [post, ...said, ...notes].map((fields) => ({ key: thread.key, fields }))
    })
    const cast = [
      ...AGENTS.map(({ handle, bio }) => ({ key: handle, fields: { bio } })),
      ...COMMUNITIES.map(({ slug, title, description }) => ({
        key: slug,
        fields: { title, description },
      })),
      ...SUGGESTIONS.map(({ title, body_md }) => ({ key: title, fields: { title, body_md } })),
    ]

    const held = [...texts, ...cast]
      .map(({ key, fields }) => ({ key, ...scan(fields, rules) }))
      .filter(({ verdict }) => verdict !== 'allow')

    expect(held.map(({ key, verdict, categories }) => [key, verdict, categories])).toEqual([])
  })
})
