import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ROOT, readDocument } from './support/documents.ts'

/** Everything whose page has a map of its folders, and the path of these folders. */
const MAPPED = [
  ...['packages', 'services']
    .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
    .filter((path) => existsSync(join(ROOT, path, 'README.md')))
    .map((path) => ({ path, src: join(ROOT, path, 'src') })),
  ...['deploy/local', 'bench'].map((path) => ({ path, src: join(ROOT, path) })),
]

/** The row of the map for each folder, and for each file that is named there. */
function rowsOf(path: string): Map<string, number> {
  const maps = readDocument(`${path}/README.md`).matchAll(/^\| folder \|.*\n\|.*\n((?:\|.*\n)*)/gm)
  const rows = [...maps].flatMap(([, map]) => (map as string).trim().split('\n'))
  return new Map(
    rows.flatMap((row, at) => {
      const names = row.split('|')[1]?.matchAll(/[`*]([\w.-]+)[`*]/g) ?? []
      return [...names].map(([, name]): [string, number] => [name as string, at])
    }),
  )
}

/** All code except that for tests, as paths from `src`. */
function filesIn(src: string): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /(?<!\.test)\.(ts|mjs)$/.test(file) && !['testing', 'node_modules'].includes(topOf(file)),
  )
}

function importsOf(src: string, file: string): string[] {
  const code = readFileSync(join(src, file), 'utf8')
  const imports = code.matchAll(/\b(?:from|import|import\() ?'(\.[^']+)'/g)
  return [...imports].map(([, target]) => join(dirname(file), target as string))
}

function topOf(file: string): string {
  return file.split('/')[0] as string
}

describe.each(MAPPED)('the folders of $path', ({ path, src }) => {
  const rows = rowsOf(path)

  it('are those that its README lists', () => {
    const folders = filesIn(src)
      .filter((file) => file.includes('/'))
      .map(topOf)
    const named = [...rows.keys()].filter((name) => !/\.(ts|mjs)$/.test(name))

    expect(named.toSorted()).toEqual([...new Set(folders)].toSorted())
  })

  it('import one another only downwards in the order of its README', () => {
    const upwards = filesIn(src).flatMap((file) =>
      importsOf(src, file)
        .filter((target) => (rows.get(topOf(target)) ?? Infinity) < (rows.get(topOf(file)) ?? 0))
        .map((target) => `${file} imports ${target}`),
    )

    expect(upwards).toEqual([])
  })
})
