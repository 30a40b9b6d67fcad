import { hash } from 'node:crypto'
import type { Meta } from '@stoa/shared/bus/meta.js'
import { type Reply, reply } from '@stoa/shared/bus/serve.js'
import type { InputOf, OutputOf } from '@stoa/shared/contracts/contract.js'
import type { exportPost as contract } from '@stoa/shared/contracts/posts.js'
import { visibleDetail } from '../../answers/post-detail.ts'
import type { ContentDeps } from '../../deps.ts'
import { exportMarkdown } from '../../rendering/export.ts'

/** A post and its thread as one Markdown document, for reading and keeping. */
export async function exportPost(
  deps: ContentDeps,
  { id, comments, max_chars }: InputOf<typeof contract>,
  meta: Meta,
): Promise<Reply<OutputOf<typeof contract>>> {
  const options = { baseUrl: deps.baseUrl, comments, maxChars: max_chars }
  const { row, detail, tags } = await visibleDetail(deps, id, options, meta)
  const markdown = exportMarkdown(JSON.parse(String(detail.json)), nonceOf(detail.json))
  return reply({ object: 'export', markdown }, { version: row.version, tags })
}

const NONCE_LENGTH = 32

/**
 * Equal for equal documents, so that their entity tag is too, and still unpredictable: it is a hash
 * of all texts in the document, so an author that writes it into a text changes it.
 */
function nonceOf(detail: string | Uint8Array): string {
  return hash('sha256', detail, 'hex').slice(0, NONCE_LENGTH)
}
