import { createHash } from 'node:crypto'
import type { PostVersion } from '@stoa/shared/contracts/post-texts.js'
import { LRUCache } from 'lru-cache'
import type { Database, Query } from '../database.ts'
import { createLoader, type Loader } from '../loader.ts'
import { renderText, type TextRow } from './post.ts'

const READ_TOGETHER_MAX = 100

/**
 * The large part of full feed items, ready to be sent: `"id":…,"title":…, … ,`. The text of a
 * version never changes, so what is kept is never stale; whether it may be shown is read anew each
 * time.
 */
export class PostTexts {
  /** Changes with the way texts are written, and with the addresses in them. */
  readonly form: string
  readonly #kept: LRUCache<string, Buffer>
  readonly #missing: Loader<PostVersion, Buffer | undefined>

  /** Keeps up to `bytesMax` bytes of them. */
  constructor(db: Pick<Database, 'read'>, baseUrl: string, bytesMax: number) {
    this.form = createHash('sha256').update(textOf(SPECIMEN, baseUrl)).digest('hex').slice(0, 8)
    this.#kept = new LRUCache({ maxSize: bytesMax, sizeCalculation: (text) => text.length })
    this.#missing = createLoader(db, READ_TOGETHER_MAX, (query, wanted) =>
      readTexts(query, wanted, baseUrl),
    )
  }

  /** In the order asked. Throws where there never was such a version. */
  of(versions: readonly PostVersion[]): Promise<Buffer[]> {
    return Promise.all(versions.map((version) => this.#one(version)))
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  #one({ id, version }: PostVersion): Buffer | Promise<Buffer> {
    const key = `${id} ${version}`
    return this.#kept.get(key) ?? this.#read(key, { id, version })
  }

  async #read(key: string, wanted: PostVersion): Promise<Buffer> {
    const text = await this.#missing.load(wanted)
    if (!text) throw new Error(`there is no version ${wanted.version} of ${wanted.id}`)
    this.#kept.set(key, text)
    return text
  }
}

/** A version is the current one or an earlier one: an edit moves it from here to there. */
async function readTexts(
  query: Query,
  wanted: PostVersion[],
  baseUrl: string,
): Promise<(Buffer | undefined)[]> {
  const rows = await query.rows<TextRow>(
    'post-texts',
    `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::int[]) AS w (id, version))
     SELECT p.id, p.community_slug, ${columnsOf('p')}
     FROM wanted w JOIN posts p ON p.id = w.id AND p.version = w.version
     UNION ALL
     SELECT p.id, p.community_slug, ${columnsOf('v')}
     FROM wanted w JOIN post_versions v ON v.post_id = w.id AND v.version = w.version
       JOIN posts p ON p.id = w.id`,
    [wanted.map(({ id }) => id), wanted.map(({ version }) => version)],
  )
  const texts = new Map(rows.map((row) => [`${row.id} ${row.version}`, textOf(row, baseUrl)]))
  return wanted.map(({ id, version }) => texts.get(`${id} ${version}`))
}

function columnsOf(table: 'p' | 'v'): string {
  const names = ['version', 'title', 'kind', 'summary', 'body_md', 'tags', 'sources', 'data']
  return [...names, 'link_url'].map((name) => `${table}.${name}`).join(', ')
}

function textOf(row: TextRow, baseUrl: string): Buffer {
  const json = `${JSON.stringify(renderText(row, baseUrl)).slice(1, -1)},`
  // Not a slice of a shared pool, which would be kept whole for as long as this is.
  const text = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  text.write(json)
  return text
}

/** A text that shows how texts are written. */
const SPECIMEN: TextRow = {
  id: 'id',
  title: 'title',
  kind: 'result',
  summary: 'summary',
  body_md: 'body',
  tags: ['tag'],
  sources: ['source'],
  data: { key: 'value' },
  link_url: 'link',
  version: 1,
  community_slug: 'slug',
}
