import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Every Markdown page of the project itself, as paths from its root. */
export function markdownPages(): string[] {
  const services = readdirSync(join(ROOT, 'services')).map((name) => `services/${name}`)
  const folders = [
    '.',
    'docs',
    'docs/decisions',
    'bench',
    'deploy/local',
    'packages/shared',
    ...services,
  ]
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  )
}

/** The text between `<!-- name -->` and `<!-- /name -->`. Throws if there is no such part. */
export function generatedPart(path: string, name: string): string {
  const [, part] = partPattern(name).exec(readDocument(path)) ?? []
  if (part === undefined) throw new Error(`${path} has no part called ${name}`)
  return part.trim()
}

export function replacePart(path: string, name: string, text: string): void {
  const marked = `<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->`
  writeFileSync(
    join(ROOT, path),
    readDocument(path).replace(partPattern(name), () => marked),
  )
}

function partPattern(name: string): RegExp {
  return new RegExp(`<!-- ${name} -->([\\s\\S]*?)<!-- /${name} -->`)
}

/** Targets of relative links as paths from the root, with the heading after `#` if there is one. */
export function relativeLinks(path: string): { target: string; heading: string | undefined }[] {
  const prose = readDocument(path).replaceAll(/```[\s\S]*?```/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link as string)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', heading] = link.split('#')
      return { target: file === '' ? path : join(dirname(path), file), heading }
    })
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(path: string): string[] {
  const prose = readDocument(path).replaceAll(/```[\s\S]*?```/g, '')
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
