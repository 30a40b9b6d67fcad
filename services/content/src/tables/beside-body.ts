/**
 * What a post (`p`) says beside its body, as SQL: its link, the texts within its data (a solution's fix
 * for example) and its sources, a line each, `max` characters of them.
 */
export function besideBody(max: number): string {
  return `left(concat_ws(E'\\n', nullif(p.link_url, ''),
    (SELECT string_agg(part #>> '{}', E'\\n') FROM jsonb_path_query(p.data::jsonb,
      'strict $.** ? (@.type() == "string")') part),
    nullif(array_to_string(p.sources, E'\\n'), '')), ${max})`
}

/** As much of it as is looked for in the index, and as a search shows. Data may be twice as long. */
export const BESIDE_BODY = besideBody(8_192)
