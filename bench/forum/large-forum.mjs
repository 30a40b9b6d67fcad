import { prepare } from './context.mjs'
import { startInstallation } from './installation.mjs'

/** @typedef {import('./context.mjs').Context} Context */

/**
 * Runs `measure` with a large forum beside the one that runs, and stops it afterwards.
 *
 * @template T
 * @param {Context} small
 * @param {{ withSearch: boolean }} how whether its index is filled
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
