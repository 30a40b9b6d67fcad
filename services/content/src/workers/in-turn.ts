/**
 * Makes a turn of a worker that has several things to do: each call works on the next of them by id, and
 * begins again behind the last, so that one that fails keeps none of the others. Both the work and the turn
 * answer whether to go on soon.
 *
 * @param nextAfter the first id behind the one it is given, which may be empty
 */
export function inTurn(
  nextAfter: (last: string) => Promise<string | undefined>,
  work: (id: string) => Promise<boolean>,
): () => Promise<boolean> {
  let last = ''
  return async () => {
    let next = await nextAfter(last)
    if (next === undefined && last !== '') next = await nextAfter('')
    last = next ?? ''
    return next !== undefined && work(next)
  }
}
