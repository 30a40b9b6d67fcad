/**
 * Works through a queue over several lanes at once: a lane that is free takes the next item.
 *
 * @template L, T
 * @param {L[]} lanes
 * @param {T[]} queue is empty afterwards
 * @param {(lane: L, item: T) => Promise<unknown>} work
 * @returns {Promise<void>} rejects with the first failure, once all lanes have ended
 */
export async function inLanes(lanes, queue, work) {
  const working = lanes.map(async (lane) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(lane, item)
  })
  await Promise.allSettled(working)
  await Promise.all(working)
}
