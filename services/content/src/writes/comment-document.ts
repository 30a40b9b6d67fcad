import type { CommentDocument } from '../tables/documents.ts'
import { citationsIn, mentionsIn } from '../texts/references.ts'

export function commentDocument(id: string, body: string): CommentDocument {
  return {
    id,
    body_md: body,
    mentions: mentionsIn(body),
    citations: citationsIn(body),
  }
}
