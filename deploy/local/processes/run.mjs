import { spawn } from 'node:child_process'
import { descendantsOf, isAlive, known } from './known-process.mjs'
import { noteEnd, noteStart, signalPid } from './own-programs.mjs'
import { GRACE_MS, spawnOptions } from './spawn-options.mjs'

const OUTPUT_LENGTH_MAX = 64 * 1024

/**
 * @typedef {object} RunOptions
 * @property {string} command
 * @property {string[]} [args]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {string} [input]
 * @property {number} [timeoutMs] after this time the program is ended
 * @property {number} [graceMs] how long the program may take to end before SIGKILL
 * @property {boolean} [show] lets the output through to the terminal instead of collecting it
 * @property {AbortSignal} [signal] ends the program early
 */

/**
 * Runs a program to its end.
 *
 * @param {RunOptions} options
 * @returns {Promise<{ code: number, output: string }>} code -1 when it could not be started or
 *   was ended by a signal; output holds the last 64 KiB of both streams
 */
export function run(options) {
  const { timeoutMs = 600_000, graceMs = GRACE_MS, show = false, input, signal } = options
  if (signal?.aborted) return Promise.resolve({ code: -1, output: signal.reason.message })
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(options.command, options.args ?? [], {
      ...spawnOptions(options),
      stdio: ['pipe', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    })
    const pid = child.pid ?? -1
    if (pid > 0) noteStart(pid, 'SIGTERM')
    const collect = (/** @type {Buffer | string} */ chunk) => {
      output = (output + chunk).slice(-OUTPUT_LENGTH_MAX)
    }
    const end = () => endForSure(child, graceMs)
    const late = setTimeout(() => {
      collect(`It was ended after ${timeoutMs / 1000} s.`)
      end()
    }, timeoutMs)
    const settle = (/** @type {{ code: number, output: string }} */ result) => {
      clearTimeout(late)
      signal?.removeEventListener('abort', end)
      resolve(result)
    }
    signal?.addEventListener('abort', end, { once: true })
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.once('error', (error) => settle({ code: -1, output: output || error.message }))
    child.once('exit', () => noteEnd(pid))
    child.once('close', (code) => settle({ code: code ?? -1, output }))
  })
}

/**
 * Ends the program, and kills those of the programs it has started so far that outlive it. A
 * program that it starts later may hold its output open; after the grace time nothing waits for
 * that.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} graceMs
 */
function endForSure(child, graceMs) {
  const started = child.pid === undefined ? [] : descendantsOf([known(child.pid)])
  child.kill('SIGTERM')
  const kill = setTimeout(() => {
    child.kill('SIGKILL')
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, graceMs)
  child.once('exit', () => {
    for (const one of started) if (isAlive(one)) signalPid(one.pid, 'SIGKILL')
  })
  child.once('close', () => clearTimeout(kill))
}
