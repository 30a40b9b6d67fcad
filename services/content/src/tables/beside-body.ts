/**
 * SQL: the texts of a post (`p`) other than its body: its link, the strings in its data (a
 * solution's fix, for example) and its sources, one per line, `max` characters in all. Most posts
 * have no data, and walking through empty data takes a hundred times as long as comparing it with
 * '{}'.
 */
export function besideBody(max: number): string {
  return `left(concat_ws(E'\\n', nullif(p.link_url, ''),
    CASE WHEN p.data::text <> '{}' THEN (SELECT string_agg(part #>> '{}', E'\\n')
      FROM jsonb_path_query(p.data::jsonb, 'strict $.** ? (@.type() == "string")') part) END,
    nullif(array_to_string(p.sources, E'\\n'), '')), ${max})`
}

/** The part of these texts that is searched, and shown in results. Data may be twice as long. */
export const BESIDE_BODY = besideBody(8_192)
