import type { Json } from '../agent.ts'
import { type Filter, isListedIn } from './lists.ts'
import { LogCopy, PageFollower, StreamFollower } from './log-copy.ts'
import { readThread, type Shown } from './shown.ts'
import { untilNone } from './until-none.ts'
import type { World } from './world.ts'

/** A copy of the posts of one kind or tag; edits bring posts in and take them out. */
class FilteredCopy extends LogCopy {
  readonly #forumUrl: string
  readonly #key: string
  readonly #filter: string
  readonly #matches: (post: Json) => boolean

  constructor(forumUrl: string, key: string, name: Filter, value: string) {
    super()
    this.#forumUrl = forumUrl
    this.#key = key
    this.#filter = `${name}=${value}`
    this.#matches = isListedIn(name, value)
  }

  override async apply(change: Json): Promise<void> {
    const { items } = this
    const { post, target_id, target_type } = change
    const matches = target_type === 'post' && post && this.#matches(post)
    // The log told the parts of this post to other followers before it came to match.
    const isNew = matches && !items.has(target_id)
    const { parts } = isNew ? await readThread(this.#forumUrl, target_id, this.#key) : { parts: [] }
    await super.apply(change)
    for (const part of parts) items.set(part.id, part)
    if (target_type !== 'post' || matches) return
    // Once the post no longer matches, the log does not tell this follower about its parts.
    for (const [id, item] of items) if (item.of === target_id) items.delete(id)
  }

  /** The items of this filter that are missing, and the items left over. */
  differences(shown: Shown): string[] {
    const { items } = this
    const isWanted = ({ of }: Json) => of !== null && this.#matches(shown.get(of))
    const wanted = [...shown.values()].filter(isWanted).map(({ id }) => id)
    return [
      ...wanted.filter((id) => !items.has(id)).map((id) => `${this.#filter}: ${id} is missing`),
      ...[...items.keys()]
        .filter((id) => !wanted.includes(id))
        .map((id) => `${this.#filter}: ${id} is left over`),
    ]
  }
}

/** Follows posts of one kind or tag, by pages of the log or live. */
export class FilteredFollower {
  readonly #copy: FilteredCopy
  readonly #follower: PageFollower | StreamFollower

  private constructor(copy: FilteredCopy, follower: PageFollower | StreamFollower) {
    this.#copy = copy
    this.#follower = follower
  }

  static byPages(forumUrl: string, key: string, name: Filter, value: string): FilteredFollower {
    const copy = new FilteredCopy(forumUrl, key, name, value)
    return new FilteredFollower(copy, new PageFollower(forumUrl, copy, `${name}=${value}`))
  }

  static async live(
    forumUrl: string,
    key: string,
    name: Filter,
    value: string,
  ): Promise<FilteredFollower> {
    const copy = new FilteredCopy(forumUrl, key, name, value)
    const stream = await StreamFollower.of(forumUrl, copy, `${name}=${value}`)
    return new FilteredFollower(copy, stream)
  }

  advance(): Promise<void> {
    return this.#follower.advance()
  }

  /** The cursor cannot tell the end, because the last line of the log may not match the filter. */
  differences(shown: Shown): Promise<string[]> {
    return untilNone('what follows a filter holds what it says', async () => {
      await this.advance()
      return this.#copy.differences(shown)
    })
  }

  close(): void {
    if (this.#follower instanceof StreamFollower) this.#follower.close()
  }
}

/**
 * Follows one kind and one tag, each by pages and live, with the key of a moderator, which is never
 * revoked.
 */
export async function followFiltered(
  { moderators: [{ key }] }: World,
  pagesUrl: string,
  liveUrl: string,
): Promise<FilteredFollower[]> {
  const filters = [
    ['tag', 'alpha'],
    ['kind', 'result'],
  ] as const
  const followed = filters.map(async ([name, value]) => [
    FilteredFollower.byPages(pagesUrl, key, name, value),
    await FilteredFollower.live(liveUrl, key, name, value),
  ])
  return (await Promise.all(followed)).flat()
}
