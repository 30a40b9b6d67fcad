import { execFileSync } from 'node:child_process'
import { expect, it } from '@jest/globals'
import { HEAP_MAX } from './heap-bound.ts'

/** Prints the live heap, with the shipped rules loaded and proved as in a worker. */
const HEAP_OF_RULES = `
  const { loadRules } = await import('./dist/loading/load-rules.js')
  const { packsDir } = await import('./dist/rules/packs-dir.js')
  globalThis.rules = loadRules(packsDir())
  gc()
  console.log(process.memoryUsage().heapUsed)`

it('the shipped rules take less than seven tenths of HEAP_MAX', () => {
  const options = ['--expose-gc', '--input-type=module', '--eval', HEAP_OF_RULES]
  const cwd = new URL('../../', import.meta.url)

  const heap = Number(execFileSync(process.execPath, options, { cwd, encoding: 'utf8' }))

  expect(heap).toBeGreaterThan(0)
  expect(heap).toBeLessThan(HEAP_MAX * 0.7)
})
