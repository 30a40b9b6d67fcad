import { join } from 'node:path'
import { ROOT } from '../paths.mjs'

/** @typedef {import('./service-env.mjs').ServiceName} ServiceName */

/**
 * Who goes first where processors are short: readers wait at the gateway, and being found a moment
 * later beats being published a moment later.
 *
 * @type {Partial<Record<ServiceName, 'first' | 'last'>>}
 */
const TURNS = { gateway: 'first', search: 'last' }

/** As long as a service may take for what it has begun. */
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
