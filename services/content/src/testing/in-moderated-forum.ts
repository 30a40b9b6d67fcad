import { inContent } from './in-content.ts'
import { ModeratedForum } from './moderated-forum.ts'

/** The same as `inContent`, with moderators. */
export function inModeratedForum(begin: (forum: ModeratedForum) => void | Promise<void>): void {
  inContent(async (content) => begin(await ModeratedForum.on(content)))
}
