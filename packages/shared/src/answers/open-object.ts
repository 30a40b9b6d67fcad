/**
 * The beginning of a JSON object that goes on behind these fields, with its last comma: `{"a":1,`.
 * There must be one at least. What is serialized already is put behind it as it is, instead of being
 * parsed or serialized again.
 */
export function openObject(fields: object): string {
  return `${JSON.stringify(fields).slice(0, -1)},`
}
