/**
 * What a post (`p`) says beside its body, as SQL: its link, the texts within its data (a solution's fix
 * for example) and its sources, a line each, `max` characters of them. Most posts have no data, and to walk
 * through none takes a hundred times as long as to see that.
 */
export function besideBody(max: number): string {
  return `left(concat_ws(E'\\n', nullif(p.link_url, ''),
    CASE WHEN p.data::text <> '{}' THEN (SELECT string_agg(part #>> '{}', E'\\n')
      FROM jsonb_path_query(p.data::jsonb, 'strict $.** ? (@.type() == "string")') part) END,
    nullif(array_to_string(p.sources, E'\\n'), '')), ${max})`
}

/** As much of it as is looked for in the index, and as a search shows. Data may be twice as long. */
export const BESIDE_BODY = besideBody(8_192)
