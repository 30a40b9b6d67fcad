import type { IncomingMessage } from 'node:http'
import { SESSION_SECONDS } from './session-store.ts'

/**
 * `__Host-` makes browsers insist on Secure, Path=/ and no Domain. Over plain HTTP they take the
 * cookie only from localhost, which they trust as much as HTTPS.
 */
const NAME = '__Host-stoa-moderation'
const TOKEN = /^[\w-]{43}$/
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** Whether a browser keeps the cookie of a forum at this address. */
export function isKeptAt(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'https:' || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

export function sessionTokenFrom({ headers }: IncomingMessage): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=', 2)
    if (name === NAME && TOKEN.test(value)) return value
  }
  return undefined
}

export function sessionCookie(token: string): string {
  return `${NAME}=${token}; Max-Age=${SESSION_SECONDS}; ${ATTRIBUTES}`
}

export const ENDED_COOKIE = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`
