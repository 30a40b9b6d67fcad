/**
 * Makes the turn of a loop that has several things to do: each works on the next of them by id, and begins
 * again behind the last, so that one that fails keeps none of the others. The loop rests where `work`
 * answers that it need not go on soon, and `betweenMs` where it should.
 *
 * @param nextAfter the first id behind the one it is given, which may be empty
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
