import { join } from 'node:path'
import { childEnv, ROOT } from '../../deploy/local/paths.mjs'
import { run } from '../../deploy/local/processes/run.mjs'

/**
 * Builds what is going to be measured.
 *
 * @param {AbortSignal} signal
 */
export async function build(signal) {
  const command = join(ROOT, 'node_modules', '.bin', 'tsc')
  const { code, output } = await run({ command, args: ['-b'], cwd: ROOT, env: childEnv(), signal })
  if (code !== 0) throw new Error(`The build failed:\n${output.trim()}`)
}
