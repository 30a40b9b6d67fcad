import { join } from 'node:path'
import { ROOT } from '../paths.mjs'

/** @typedef {import('./service-env.mjs').ServiceName} ServiceName */

/**
 * Which services go first or last when processors are short. The gateway goes first because readers
 * wait for it. Search goes last because a delay before a post is found matters less than a delay
 * before it is published.
 *
 * @type {Partial<Record<ServiceName, 'first' | 'last'>>}
 */
const TURNS = { gateway: 'first', search: 'last' }

/** How long a service may take to finish the work it has begun before it is killed. */
const GRACE_MS = 15_000

/**
 * How a service is launched, for `npm start` and for the bench alike.
 *
 * @param {ServiceName} name
 * @param {{ env: NodeJS.ProcessEnv, logFile: string, nodeArgs?: string[] }} options `nodeArgs` are
 *   for Node.js itself
 * @returns {import('../processes/child.mjs').LaunchOptions}
 */
export function serviceProgram(name, { env, logFile, nodeArgs = [] }) {
  return {
    command: process.execPath,
    args: [...nodeArgs, join(ROOT, 'services', name, 'dist', 'main.js')],
    cwd: ROOT,
    env,
    logFile,
    graceMs: GRACE_MS,
    turn: TURNS[name],
  }
}
