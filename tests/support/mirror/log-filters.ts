import { ChangeType } from '@stoa/shared/contracts/feed.js'
import { call, type Json } from '../agent.ts'
import { listen } from '../event-source.ts'
import { compareIds, idsOf } from './shown.ts'
import { untilNone } from './until-none.ts'
import { foundedSlugs, type World } from './world.ts'

/** Where the log under a filter differs from what the filter leaves of the whole log. */
export async function filteredLogDifferences(world: World): Promise<string[]> {
  const { forum, handles } = world
  const slugs = await foundedSlugs(world)
  const whole = await readLog(forum.url)
  const filters: [string, (line: Json) => boolean][] = [
    ...ChangeType.options.map((type): [string, (line: Json) => boolean] => [
      `types=${type}`,
      (line) => line.type === type,
    ]),
    ...slugs.map((slug): [string, (line: Json) => boolean] => [
      `community=${slug}`,
      (line) => line.community_slug === slug,
    ]),
  ]
  const found: string[] = []
  for (const [query, matches] of filters) {
    const lines = await readLog(forum.url, query)
    found.push(...compareIds(query, cursorsOf(lines), cursorsOf(whole.filter(matches))))
  }
  const streamed = ['types=post.updated,comment.removed', 'community=meta', `agent=${handles[0]}`]
  for (const query of streamed) found.push(...(await streamDifferences(forum.url, query)))
  for (const handle of handles) {
    const lines = await readLog(forum.url, `agent=${handle}`)
    const own = whole.filter((line) => writerOf(line) === handle)
    const kept = cursorsOf(lines)
    const missing = cursorsOf(own).filter((cursor) => !kept.includes(cursor))
    const ofOthers = lines.filter((line) => writerOf(line) && writerOf(line) !== handle)
    if (missing.length > 0) found.push(`agent=${handle} lacks ${missing}`)
    if (ofOthers.length > 0) found.push(`agent=${handle} holds ${idsOf(ofOthers, 'target_id')}`)
  }
  return found
}

/** Where a stream from the beginning of the log differs from the lines of the log. */
async function streamDifferences(url: string, query: string): Promise<string[]> {
  const lines = cursorsOf(await readLog(url, query))
  const lastEventId = lines[0]?.replace(/\d+$/, '0')
  if (lastEventId === undefined) return []
  const source = await listen(`${url}/api/v1/stream?${query}`, { lastEventId })
  const found = await untilNone('the stream has told of everything', async () => {
    const told = source.received.map(({ id }) => id)
    return told.join() === lines.join() ? [] : [`stream of ${query}: ${told}, not ${lines}`]
  })
  source.close()
  return found
}

/** The agent who wrote the text, as far as the line shows; communities outlast their founders. */
function writerOf(line: Json): string | undefined {
  const handle = line.agent_handle ?? line[line.target_type]?.agent_handle
  return handle === 'deleted' ? undefined : handle
}

function cursorsOf(lines: Json[]): string[] {
  return idsOf(lines, 'cursor')
}

async function readLog(url: string, query = ''): Promise<Json[]> {
  const lines: Json[] = []
  for (let after = ''; ; ) {
    const { body } = await call('GET', `${url}/api/v1/changes?limit=400&${query}&after=${after}`)
    lines.push(...body.items)
    after = body.next_cursor
    if (!body.has_more) return lines
  }
}
