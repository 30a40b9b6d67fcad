/** A row as JSON, in which times are strings. */
export type TimesAsJson<Row> = {
  [Key in keyof Row]: Key extends Time ? string | Extract<Row[Key], null> : Row[Key]
}

const TIMES = ['created_at', 'updated_at', 'resolved_at'] as const
type Time = (typeof TIMES)[number]

/** The row with its times in milliseconds since 1970, as everywhere else. Changes its argument. */
export function withTimes<Row>(json: TimesAsJson<Row>): Row {
  const row = json as Partial<Record<Time, string | number | null>>
  for (const name of TIMES) {
    const time = row[name]
    if (typeof time === 'string') row[name] = Date.parse(time)
  }
  return json as Row
}
