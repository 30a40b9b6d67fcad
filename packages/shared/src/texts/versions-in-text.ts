/** The `v` of a version of several numbers, such as `v20.11.1`: `v8` alone may be a name. */
const MARK = /(?<![\p{L}\p{N}])v(?=\d+\.\d)/giu

/** What is looked for with versions as plain numbers: some write them with a `v`, and some without. */
export function withoutVersionMarks(q: string): string {
  return q.replaceAll(MARK, '')
}
