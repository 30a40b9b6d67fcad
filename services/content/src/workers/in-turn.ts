/**
 * Makes the turn of a loop with several tasks: each turn works on the next task by id, after the
 * last one, so that a task that fails delays none of the others. The loop waits `betweenMs` if
 * `work` returns true, and rests if it returns false.
 *
 * @param nextAfter returns the first id after the given one, which may be empty
 */
export function inTurn(
  betweenMs: number,
  nextAfter: (last: string) => Promise<string | undefined>,
  work: (id: string) => Promise<boolean>,
): () => Promise<number | 'rest'> {
  let last = ''
  return async () => {
    let next = await nextAfter(last)
    if (next === undefined && last !== '') next = await nextAfter('')
    last = next ?? ''
    return next !== undefined && (await work(next)) ? betweenMs : 'rest'
  }
}
