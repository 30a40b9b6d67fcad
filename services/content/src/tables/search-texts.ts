import { PLAIN_LETTERS } from '@stoa/shared/texts/plain-letters.js'
import { SIGNED_NAMES } from '@stoa/shared/texts/spellings.js'
import type { Query, Transaction } from '../transaction.ts'
import { besideBody } from './beside-body.ts'

/**
 * How many characters of a body are searched: the beginning that readers of results mostly look at.
 */
const SEARCHED_CHARS = 500
/**
 * How many characters beside the body are searched: the problem, fix and rest of a brief solution.
 */
const BESIDE_CHARS = 2_000

/**
 * A name directly followed by a number, as in `python3` or `TLSv1`, which are two words. The
 * pattern captures the letters before the number: a lookbehind takes PostgreSQL as long as the rest
 * of a document.
 */
export const NAME_AND_NUMBER = String.raw`([a-z]{2})v?(\d+)(?![a-z0-9])`

/**
 * Characters that are not part of a word: the `v` of versions such as `v20.11.1`, which some
 * authors leave out, and the symbols that make PostgreSQL take several words for one, as in paths,
 * hosts and tags. `\u2011` is a hyphen that models write.
 */
const NO_WORDS = String.raw`'\mv(?=\d+\.\d)|[-\u2011./<&~+]+', ' ', 'gi'`

/**
 * SQL of `text` as `plainLetters` writes it, without accents. ASCII texts skip the slow conversion.
 */
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

/** SQL of `text` with the words that signed names are searched by: `cpp` beside `C++`. */
const named = (text: string) =>
  SIGNED_NAMES.reduce((sql, { pattern, word }) => {
    const also = String.raw`\& ${word.replace('$1', String.raw`\1`)} `
    return `regexp_replace(${sql}, '${pattern}', '${also}', 'gi')`
  }, text)

export const vectorOf = (text: string) =>
  `to_tsvector('english', regexp_replace(${apart(named(plain(text)))}, ${NO_WORDS}))`

/** SQL of the tsvector that is searched for a post `p` or a comment `c`. */
export const DOCUMENTS = {
  post: `setweight(${vectorOf('p.title')}, 'A') || setweight(${vectorOf('p.summary')}, 'B') ||
    setweight(${vectorOf(`array_to_string(p.tags, ' ')`)}, 'B') ||
    ${vectorOf(`left(p.body_md, ${SEARCHED_CHARS})`)} || ${vectorOf(besideBody(BESIDE_CHARS))}`,
  comment: vectorOf(`left(c.body_md, ${SEARCHED_CHARS})`),
} as const

/** The form of the documents. Each change of the form adds one, and all texts are indexed again. */
export const FORM = 1

/**
 * SQL: the line of the change log up to which texts are indexed in this form. Releases with an
 * older form run beside this one during an update, and alone after a rollback; the `seq` that they
 * move does not count here.
 */
const FILLED = `CASE WHEN p.form < ${FORM} THEN 0 WHEN p.form = ${FORM}
    THEN least(p.seq, p.form_seq) ELSE p.seq END`

/**
 * Locks the position of indexing for this transaction. Undefined while another replica has locked
 * it, or if it is at the end of the log.
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

/**
 * Indexes texts that these lines report as published or changed, and drops those no longer public.
 */
export function indexLines(tx: Transaction, from: number, to: number): void {
  // What a crash loses is indexed again, so this COMMIT does not wait for the disk.
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

/** The newest ids in the change log that are not indexed yet: few, and searched one by one. */
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
