import { prepare } from './context.mjs'
import { startInstallation } from './installation.mjs'

/** @typedef {import('./context.mjs').Context} Context */

/**
 * Starts a large forum beside the one that runs, calls `measure`, and stops the large one.
 *
 * @template T
 * @param {Context} small
 * @param {{ withSearch: boolean }} how whether the large forum's index is filled
 * @param {(large: Context) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export async function besideLarge(small, { withSearch }, measure) {
  const { rounds, seconds, soakSeconds, signal, show, largePosts } = small
  const forum = await startInstallation({ signal })
  try {
    const posts = { posts: largePosts, withSearch, largePosts }
    return await measure(
      await prepare({ forum, ...posts, rounds, seconds, soakSeconds, signal, show }),
    )
  } finally {
    await forum.stop()
  }
}
