import { LRUCache } from 'lru-cache'
import type { Database, Query } from '../database.ts'
import { createLoader, type Loader } from '../loader.ts'
import { feedBody } from './post.ts'

/** One version of one post. */
export interface PostVersion {
  id: string
  version: number
}

interface TextRow extends PostVersion {
  title: string
  body_md: string
  tags: string[]
  data: Record<string, unknown>
}

const READ_TOGETHER_MAX = 100

/**
 * The large part of feed items, ready to be sent: `"body_md":…,"data":…`. The text of a version
 * never changes, so what is kept is never stale; whether it may be shown is read anew each time.
 */
export class PostTexts {
  readonly #kept: LRUCache<string, Buffer>
  readonly #missing: Loader<PostVersion, Buffer | undefined>

  /** Keeps up to `bytesMax` bytes of them. */
  constructor(db: Pick<Database, 'read'>, bytesMax: number) {
    this.#kept = new LRUCache({ maxSize: bytesMax, sizeCalculation: (text) => text.length })
    this.#missing = createLoader(db, READ_TOGETHER_MAX, readTexts)
  }

  /** In the order asked; undefined for a version that is gone. */
  of(versions: readonly PostVersion[]): Promise<(Buffer | undefined)[]> {
    return Promise.all(versions.map((version) => this.#one(version)))
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  #one({ id, version }: PostVersion): Buffer | undefined | Promise<Buffer | undefined> {
    const key = `${id} ${version}`
    return this.#kept.get(key) ?? this.#read(key, { id, version })
  }

  async #read(key: string, wanted: PostVersion): Promise<Buffer | undefined> {
    const text = await this.#missing.load(wanted)
    if (text) this.#kept.set(key, text)
    return text
  }
}

/** A version is the current one or an earlier one: an edit moves it from here to there. */
async function readTexts(query: Query, wanted: PostVersion[]): Promise<(Buffer | undefined)[]> {
  const rows = await query.rows<TextRow>(
    'post-texts',
    `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::int[]) AS w (id, version))
     SELECT p.id, p.version, p.title, p.body_md, p.tags, p.data
     FROM wanted w JOIN posts p ON p.id = w.id AND p.version = w.version
     UNION ALL
     SELECT v.post_id, v.version, v.title, v.body_md, v.tags, v.data
     FROM wanted w JOIN post_versions v ON v.post_id = w.id AND v.version = w.version`,
    [wanted.map(({ id }) => id), wanted.map(({ version }) => version)],
  )
  const texts = new Map(rows.map((row) => [`${row.id} ${row.version}`, textOf(row)]))
  return wanted.map(({ id, version }) => texts.get(`${id} ${version}`))
}

function textOf(row: TextRow): Buffer {
  const json = JSON.stringify({ body_md: feedBody(row), data: row.data }).slice(1, -1)
  // Not a slice of a shared pool, which would be kept whole for as long as this is.
  const text = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  text.write(json)
  return text
}
