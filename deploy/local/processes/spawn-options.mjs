/** How long a program may take to end before it is killed, unless it is given another time. */
export const GRACE_MS = 10_000

/**
 * Leaves out what is not given: the types of Node.js refuse an `undefined` there.
 *
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, uid?: number, gid?: number }} options
 */
export function spawnOptions({ env = process.env, cwd, uid, gid }) {
  return {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  }
}
