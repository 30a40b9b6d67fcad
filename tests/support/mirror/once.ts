import type { World } from './world.ts'

/** Every text has words of its own, so a text that is there twice was written twice. */
const TWICE = `
  SELECT 'post ' || title AS what FROM posts WHERE title <> '' GROUP BY title HAVING count(*) > 1
  UNION ALL SELECT 'comment ' || body_md FROM comments
  WHERE body_md <> '' GROUP BY body_md HAVING count(*) > 1
  UNION ALL SELECT 'suggestion ' || body_md FROM suggestions
  WHERE body_md <> '' GROUP BY body_md HAVING count(*) > 1`

export async function writtenTwice({ forum }: World): Promise<string[]> {
  const { rows } = await forum.db.query<{ what: string }>(TWICE)
  return rows.map(({ what }) => what)
}

interface Line {
  alert_id: string
  action: string
  moderator: string
}

/**
 * Acknowledged decisions that have no line in the log of acts, or more lines than acknowledgements:
 * a repeated decision is answered again, but has one line.
 */
export async function auditDifferences({ forum, decisions }: World): Promise<string[]> {
  const { rows } = await forum.db.query<Line>('SELECT alert_id, action, moderator FROM audit')
  const lines = rows.map((row) => `${row.moderator} ${row.action} ${row.alert_id}`)
  return [...new Set(decisions)].flatMap((decision) => {
    const [kept, told] = [lines, decisions].map((all) => all.filter((one) => one === decision))
    const isKept = kept && told && kept.length > 0 && kept.length <= told.length
    return isKept ? [] : [`${decision}: ${kept?.length} lines, acknowledged ${told?.length}`]
  })
}
