import { call, type Json, pathOf } from '../agent.ts'
import { ofType, type Shown } from './shown.ts'
import { untilNone } from './until-none.ts'

/**
 * The polling loop of the specification: it knows the id and time of each post, and nothing else.
 */
export class FeedPoller {
  /** Id and time of publication of each post, in the order in which they came. */
  readonly seen: { id: string; created_at: string }[] = []
  readonly #url: string
  #since = '1970-01-01T00:00:00.000Z'

  constructor(forumUrl: string) {
    this.#url = forumUrl
  }

  async advance(): Promise<void> {
    let next = `/api/v1/feed?since=${this.#since}&fields=ids&limit=20`
    const seen: typeof this.seen = []
    for (;;) {
      const { body, status, text } = await call('GET', this.#url + next)
      if (status !== 200) throw new Error(text)
      seen.push(...body.items)
      if (body.next_url === null) {
        this.#since = body.next_since
        this.seen.push(...seen)
        return
      }
      next = pathOf(body.next_url)
    }
  }

  /**
   * The posts that the poller has missed, where they are now, and the posts that came to it twice.
   */
  differences(shown: Shown): Promise<string[]> {
    const placeOf = ({ id, created_at }: Json) => `${id} of ${created_at}`
    return untilNone('the poller has seen every post', async () => {
      await this.advance()
      const seen = this.seen.map(placeOf)
      const missed = ofType(shown, 'post')
        .map(placeOf)
        .filter((place) => !seen.includes(place))
      const twice = seen.filter((place, n) => seen.indexOf(place) !== n)
      return [
        ...missed.map((place) => `missed ${place}`),
        ...twice.map((place) => `twice ${place}`),
      ]
    })
  }
}
