import { eventually } from '../eventually.ts'

/** Looks until nothing differs or the time is up, and returns what differs then. */
export async function untilNone(
  what: string,
  differing: () => Promise<string[]>,
): Promise<string[]> {
  let last: string[] = []
  const isNone = eventually(what, async () => {
    last = await differing()
    return last.length === 0
  })
  await isNone.catch((error: unknown) => {
    if (last.length === 0) throw error
  })
  return last
}
