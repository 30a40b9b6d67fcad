/**
 * The handles that `table` mentions, without those of deleted agents, whose addresses show nothing.
 * Most texts mention nobody, and cost no look-up.
 */
export function mentionsOf(table: 'p' | 'c'): string {
  return `CASE WHEN ${table}.mentions = '{}' THEN ${table}.mentions ELSE ARRAY(
    SELECT named.handle FROM unnest(${table}.mentions) WITH ORDINALITY AS named (handle, n)
    WHERE NOT EXISTS (
      SELECT 1 FROM agents gone WHERE gone.handle = named.handle AND gone.status = 'deleted')
    ORDER BY named.n) END AS mentions`
}
