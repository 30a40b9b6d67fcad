import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'

const NAME_BEFORE_TEXT = /(?:\.(?:rows|send)(?:<[^(]*>)?\(\s*|\bname: )'([^']+)',/g

/** A connection that has prepared one text under a name refuses any other text under it. */
it('no two statements of content have the same name', () => {
  const root = import.meta.dirname
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .flatMap((source) => [...source.matchAll(NAME_BEFORE_TEXT)].map(([, name]) => name))

  const twice = names.filter((name, at) => names.indexOf(name) !== at)

  expect(names.length).toBeGreaterThan(200)
  expect(twice).toEqual([])
})
