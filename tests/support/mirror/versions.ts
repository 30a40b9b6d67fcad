import { call, type Json } from '../agent.ts'
import { fieldsThatDiffer } from './differences.ts'
import { compareIds, ofType, readList, type Shown } from './shown.ts'
import type { World } from './world.ts'

/**
 * Where the versions of posts differ from the edits that were acknowledged: each edit is a version
 * with its note until its author deletes that, each version can be read whole, and the current one
 * is the post.
 */
export async function versionDifferences(world: World, shown: Shown): Promise<string[]> {
  const found: string[] = []
  for (const post of ofType(shown, 'post')) {
    const path = `/api/v1/posts/${post.id}/versions`
    const versions = await readList(world.forum.url, path)
    found.push(...chainDifferences(post, versions), ...forgottenEdits(world, post.id, versions))
    for (const version of versions) found.push(...(await unlikeItself(world, post, version)))
    for (const { version } of world.deletedVersions.filter(
      ({ id, isTold }) => id === post.id && isTold,
    )) {
      for (const at of [`${path}/${version}`, pageOf(post, version)]) {
        const { status } = await call('GET', world.forum.url + at)
        if (status !== 410) found.push(`${at}: ${status}, though it was deleted`)
      }
    }
  }
  return [
    ...found,
    ...forgottenTexts(world, ofType(shown, 'comment')),
    ...forgottenTexts(world, ofType(shown, 'community'), 'slug'),
  ]
}

/** Of comments and communities, only the current text can be read. */
function forgottenTexts({ edits }: World, items: Json[], name = 'id'): string[] {
  return items.flatMap((item) => {
    const told = edits.find(({ id, version }) => id === item[name] && version === item.version)
    return told ? fieldsThatDiffer(told.says, item) : []
  })
}

/** Each version from the current one back names the version before it. */
function chainDifferences(post: Json, versions: Json[]): string[] {
  const previous = versions.map(({ version }) => version).slice(1)
  return [
    ...compareIds(
      `versions before those of ${post.id}`,
      versions.map((one) => String(one.previous_version)),
      [...previous, null].map(String),
    ),
    ...compareIds(
      `current version of ${post.id}`,
      versions.filter(({ current }) => current).map(({ version }) => version),
      [post.version],
    ),
  ]
}

function forgottenEdits({ deletedVersions, edits }: World, id: string, versions: Json[]): string[] {
  const told = edits.filter((edit) => edit.id === id)
  return told.flatMap(({ version, says }) => {
    if (deletedVersions.some((one) => one.id === id && one.version === version)) return []
    const kept = versions.find((one) => one.version === version)
    return kept ? fieldsThatDiffer(says, kept) : [`version ${version} of ${id} is missing`]
  })
}

async function unlikeItself({ forum }: World, post: Json, listed: Json): Promise<string[]> {
  const { version, title } = listed
  const path = `/api/v1/posts/${post.id}/versions/${version}`
  const { body, text } = await call('GET', forum.url + path)
  if (!body.version) return [`${path}: ${text}`]
  const found = fieldsThatDiffer(listed, { ...body.version, id: path })
  if (listed.current) {
    const { sources, data, link_url, summary } = body.version
    found.push(...fieldsThatDiffer({ sources, data, link_url, summary }, post))
  }
  const page = await call('GET', forum.url + pageOf(post, version))
  if (page.status !== 200 || !page.text.includes(title)) {
    found.push(`${pageOf(post, version)}: ${page.status} without ${title}`)
  }
  return found
}

function pageOf({ id, community_slug }: Json, version: number): string {
  return `/c/${community_slug}/p/${id}/versions/${version}`
}
