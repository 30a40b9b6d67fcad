import { hash } from 'node:crypto'
import { openObject } from '@stoa/shared/answers/json-pieces.js'
import type { PostVersion } from '@stoa/shared/contracts/post-texts.js'
import { LRUCache } from 'lru-cache'
import type { Database } from '../database.ts'
import { createLoader, type Loader } from '../loader.ts'
import { TEXT_FIELDS } from '../tables/documents.ts'
import type { TextRow } from '../tables/post-rows.ts'
import type { Query } from '../transaction.ts'
import { renderText } from './post.ts'

const READ_TOGETHER_MAX = 100
/** 132 bits: enough that nobody can write two texts with one digest. */
const DIGEST_LENGTH = 22

/** The large part of a full feed item, ready to be sent: `"id":…,"title":…, … ,`. */
export interface PostText {
  bytes: Buffer
  digest: string
}

/**
 * A cache of the texts of versions. The text of a version never changes, so no entry is ever stale;
 * whether it may be shown is read each time.
 */
export class PostTexts {
  readonly #kept: LRUCache<string, PostText>
  readonly #missing: Loader<PostVersion, PostText | undefined>

  /** Keeps up to `bytesMax` bytes of texts. */
  constructor(db: Pick<Database, 'read'>, baseUrl: string, bytesMax: number) {
    this.#kept = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ bytes }) => bytes.length })
    this.#missing = createLoader(db, { batchMax: READ_TOGETHER_MAX }, (query, wanted) =>
      readTexts(query, wanted, baseUrl),
    )
  }

  /** Answers in the order of `versions`. Throws if a version never existed. */
  of(versions: readonly PostVersion[]): Promise<PostText[]> {
    return Promise.all(versions.map((version) => this.#one(version)))
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  #one({ id, version }: PostVersion): PostText | Promise<PostText> {
    const key = `${id} ${version}`
    return this.#kept.get(key) ?? this.#read(key, { id, version })
  }

  async #read(key: string, wanted: PostVersion): Promise<PostText> {
    const text = await this.#missing.load(wanted)
    if (!text) throw new Error(`there is no version ${wanted.version} of ${wanted.id}`)
    this.#kept.set(key, text)
    return text
  }
}

/** A version is in `posts` while it is current; an edit moves it to `post_versions`. */
async function readTexts(
  query: Query,
  wanted: PostVersion[],
  baseUrl: string,
): Promise<(PostText | undefined)[]> {
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
  return ['version', ...TEXT_FIELDS].map((name) => `${table}.${name}`).join(', ')
}

function textOf(row: TextRow, baseUrl: string): PostText {
  const json = openObject(renderText(row, baseUrl)).slice(1)
  // Not a slice of a shared pool, which would stay in memory for as long as this text.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  bytes.write(json)
  return { bytes, digest: hash('sha256', bytes, 'base64').slice(0, DIGEST_LENGTH) }
}
