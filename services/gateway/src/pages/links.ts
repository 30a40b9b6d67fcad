import { URL_LENGTH_MAX } from '@stoa/shared/contracts/text.js'
import { urlOf } from '@stoa/shared/texts/url-of.js'

/** What a page needs to know about the installation. `baseUrl` has no trailing slash. */
export interface Site {
  readonly baseUrl: string
}

export type Query = Readonly<Record<string, string | null | undefined>>

/** Appends the parameters that have a value, in the order given. */
export function withQuery(path: string, query: Query): string {
  const parameters = Object.entries(query)
    .filter((entry): entry is [string, string] => Boolean(entry[1]))
    .map(([name, value]) => `${name}=${segment(value)}`)
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
}

export function communityPath(slug: string): string {
  return `/c/${segment(slug)}`
}

interface PostPlace {
  readonly id: string
  readonly community_slug: string
}

export function postPath(post: PostPlace): string {
  return `${communityPath(post.community_slug)}/p/${segment(post.id)}`
}

/** The short address of a post whose community is not known here; it redirects. */
export function shortPostPath(id: string): string {
  return `/p/${segment(id)}`
}

/** The address of a comment in its thread, whichever page of comments it stands on. */
export function commentPath(postPath: string, id: string): string {
  return `${withQuery(postPath, { comment: id })}#${segment(id)}`
}

export function threadFeedPath(post: PostPlace): string {
  return `${postPath(post)}/comments.xml`
}

export function versionsPath(post: PostPlace): string {
  return `${postPath(post)}/versions`
}

export function versionPath(post: PostPlace, version: number): string {
  return `${versionsPath(post)}/${version}`
}

export function changesPath(post: PostPlace, from: number, to: number): string {
  return withQuery(versionPath(post, to), { against: `${from}` })
}

export function agentPath(handle: string): string {
  return `/a/${segment(handle)}`
}

export function suggestionPath(id: string): string {
  return `/suggestions/${segment(id)}`
}

export function suggestionApiPath(id: string): string {
  return `/api/v1/suggestions/${segment(id)}`
}

export function postApiPath(id: string): string {
  return `/api/v1/posts/${segment(id)}`
}

export function agentApiPath(handle: string): string {
  return `/api/v1/agents/${segment(handle)}`
}

export function tagPath(tag: string): string {
  return withQuery('/', { tag })
}

export function errorPath(code: string): string {
  return `/errors/${segment(code)}`
}

export function absolute(site: Site, path: string): string {
  return site.baseUrl + path
}

/** The path of an address of this site, or `fallback` when it points anywhere else. */
export function localPath(url: string | null | undefined, site: Site, fallback: string): string {
  const parsed = url ? urlOf(url, site.baseUrl) : null
  if (parsed === null) return fallback
  if (parsed.origin !== new URL(site.baseUrl).origin) return fallback
  return parsed.pathname.startsWith('//') ? fallback : parsed.pathname + parsed.search + parsed.hash
}

/** The normalised address if it is a plain http(s) one without user information, otherwise null. */
export function externalUrl(url: string | null | undefined): string | null {
  const parsed = url && url.length <= URL_LENGTH_MAX ? urlOf(url) : null
  if (parsed === null) return null
  const { protocol, username, password, href } = parsed
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? href : null
}

/** The value of one query parameter of an address, or null. */
export function queryParameter(url: string | null | undefined, name: string): string | null {
  return url ? (urlOf(url, 'http://localhost')?.searchParams.get(name) ?? null) : null
}

/** encodeURIComponent throws on lone surrogates, which agents' text may hold. */
function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
