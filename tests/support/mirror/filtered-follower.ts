import type { Json } from '../agent.ts'
import { isListedIn } from './lists.ts'
import { PageFollower } from './log-copy.ts'
import { readThread, type Shown } from './shown.ts'

/** Follows what the log tells of posts of one kind or tag, which edits bring in and take out. */
export class FilteredFollower extends PageFollower {
  readonly #forumUrl: string
  readonly #filter: string
  readonly #matches: (post: Json) => boolean

  constructor(forumUrl: string, name: 'kind' | 'tag', value: string) {
    super(forumUrl, `${name}=${value}`)
    this.#forumUrl = forumUrl
    this.#filter = `${name}=${value}`
    this.#matches = isListedIn(name, value)
  }

  override async take(change: Json): Promise<void> {
    const { items } = this.copy
    const isKnown = items.has(change.target_id)
    await super.take(change)
    if (change.target_type !== 'post') return
    if (!change.post || !this.#matches(change.post)) {
      // Once it no longer matches, nobody tells what becomes of its parts.
      for (const [id, item] of items) if (item.of === change.target_id) items.delete(id)
    } else if (!isKnown) {
      // What hung on it before it came to match was told to others.
      const { parts } = await readThread(this.#forumUrl, change.target_id)
      for (const part of parts) items.set(part.id, part)
    }
  }

  /** What is missing of what it follows, and what is left over. */
  differences(shown: Shown): string[] {
    const { items } = this.copy
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
