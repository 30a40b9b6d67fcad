import { PLAIN_LETTERS } from '@stoa/shared/texts/plain-letters.js'
import { SIGNED_NAMES } from '@stoa/shared/texts/spellings.js'
import type { Query, Transaction } from '../transaction.ts'
import { besideBody } from './beside-body.ts'

/** How much of a body is searched: its beginning, as far as readers of results mostly look. */
const SEARCHED_CHARS = 500
/** And of what stands beside it: the problem, the fix and the rest of a solution that is told briefly. */
const BESIDE_CHARS = 2_000

/**
 * A name and the number right behind it, as in `python3` or `TLSv1`, which are two words. By what it
 * holds: to look around a place takes PostgreSQL as long as all the rest of a document.
 */
export const NAME_AND_NUMBER = String.raw`([a-z]{2})v?(\d+)(?![a-z0-9])`

/**
 * What is no part of a word: the `v` of versions such as `v20.11.1`, which some write without, and the
 * symbols by which PostgreSQL takes several words for one, as it does with paths, hosts and tags. Models
 * write a hyphen of their own.
 */
const NO_WORDS = String.raw`'\mv(?=\d+\.\d)|[-\u2011./<&~+]+', ' ', 'gi'`

/** SQL of `text` as `plainLetters` has it, and without accents. To put texts into these forms takes time. */
const plain = (text: string) => `(SELECT CASE WHEN octet_length(t) = length(t) THEN t
    ELSE normalize(regexp_replace(normalize(${writtenPlainly('t')}, NFKD), '[\u0300-\u036f]+', '', 'g'), NFC)
  END FROM (SELECT ${text} AS t OFFSET 0) given)`

function writtenPlainly(text: string): string {
  const replaced = [...PLAIN_LETTERS].reduce(
    (sql, [letter, written]) => `replace(${sql}, '${letter}', '${written}')`,
    text,
  )
  return `regexp_replace(${replaced}, '[µμ](?=[a-z])', 'u', 'gi')`
}

const apart = (text: string) =>
  String.raw`regexp_replace(${text}, '${NAME_AND_NUMBER}', '\1 \2', 'gi')`

/** With `cpp` beside `C++`, by which it is looked for. */
const named = (text: string) =>
  SIGNED_NAMES.reduce((sql, { pattern, word }) => {
    const also = String.raw`\& ${word.replace('$1', String.raw`\1`)} `
    return `regexp_replace(${sql}, '${pattern}', '${also}', 'gi')`
  }, text)

export const vectorOf = (text: string) =>
  `to_tsvector('english', regexp_replace(${apart(named(plain(text)))}, ${NO_WORDS}))`

/** What is searched of each kind of thing, as a tsvector named `doc`; the caller filters by id. */
export const DOCUMENTS = {
  post: `setweight(${vectorOf('p.title')}, 'A') || setweight(${vectorOf('p.summary')}, 'B') ||
    setweight(${vectorOf(`array_to_string(p.tags, ' ')`)}, 'B') ||
    ${vectorOf(`left(p.body_md, ${SEARCHED_CHARS})`)} || ${vectorOf(besideBody(BESIDE_CHARS))}`,
  comment: vectorOf(`left(c.body_md, ${SEARCHED_CHARS})`),
} as const

/** Which form documents have: one more with each change of it, and all texts are filled in again. */
export const FORM = 1

/**
 * Up to which line texts are filled in so. Releases of older forms run beside this one while replicas are
 * replaced, and alone after a return: what they fill in moves `seq`, and counts for nothing here.
 */
const FILLED = `CASE WHEN p.form < ${FORM} THEN 0 WHEN p.form = ${FORM}
    THEN least(p.seq, p.form_seq) ELSE p.seq END`

/**
 * Takes the position for this transaction: undefined while another replica has it, or when it is
 * at the end of the log.
 */
export async function takeProgress(
  tx: Transaction,
  linesMax: number,
): Promise<{ from: number; to: number } | undefined> {
  const [row] = await tx.rows<{ from: number; to: number }>(
    'take-search-progress',
    `SELECT ${FILLED} AS from, least(${FILLED} + $1, l.seq) AS to
     FROM search_progress p, publication l WHERE l.seq > ${FILLED}
     FOR UPDATE OF p SKIP LOCKED`,
    [linesMax],
  )
  return row
}

/** Fills in what the lines say was published or changed, and drops what went away. */
export function indexLines(tx: Transaction, from: number, to: number): void {
  // What a crash takes back is indexed again: nobody has to wait for the disk.
  tx.send('index-lines-soon', 'SET LOCAL synchronous_commit = off')
  tx.send(
    'index-lines',
    `WITH lines AS (
       SELECT DISTINCT target_id AS id FROM changes WHERE seq > $1 AND seq <= $2
     ), gone AS (
       DELETE FROM search_texts t USING lines l WHERE t.id = l.id AND NOT EXISTS (
         SELECT 1 FROM posts p WHERE p.id = l.id AND p.visibility = 'public'
         UNION ALL
         SELECT 1 FROM comments c JOIN posts p ON p.id = c.post_id
         WHERE c.id = l.id AND c.visibility = 'public' AND p.visibility = 'public')
     )
     INSERT INTO search_texts (id, doc)
     SELECT p.id, ${DOCUMENTS.post} FROM lines JOIN posts p USING (id)
     WHERE p.visibility = 'public'
     UNION ALL
     SELECT c.id, ${DOCUMENTS.comment}
     FROM lines JOIN comments c USING (id) JOIN posts p ON p.id = c.post_id
     WHERE c.visibility = 'public' AND p.visibility = 'public'
     ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`,
    [from, to],
  )
  tx.send(
    'save-search-progress',
    `UPDATE search_progress SET seq = $1, form = greatest(form, ${FORM}),
       form_seq = CASE WHEN form > ${FORM} THEN form_seq ELSE $1 END`,
    [to],
  )
}

/** The newest ids that the log tells of since the index was last filled: few, and searched one by one. */
export async function unindexedIds(query: Query, max: number): Promise<string[]> {
  const rows = await query.rows<{ id: string }>(
    'unindexed-ids',
    `SELECT DISTINCT target_id AS id FROM (
       SELECT target_id FROM changes
       WHERE seq > (SELECT ${FILLED} FROM search_progress p) ORDER BY seq DESC LIMIT $1) newest`,
    [max],
  )
  return rows.map(({ id }) => id)
}
