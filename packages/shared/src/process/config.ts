import { z } from 'zod'
import { urlOf } from '../texts/url-of.ts'
import { isBusUrl } from './bus-address.mjs'

/**
 * For an address with an impossible port, or with unescaped special characters in user or password.
 */
export const UNREADABLE =
  'cannot be read: use a port up to 65535, and percent-encode special characters in user and password'

/**
 * Reads the environment once, at start-up; a service with a bad setting must not start. Names every
 * bad variable at once, and never prints a value, since some of them are secrets.
 */
export function readConfig<Shape extends z.ZodObject>(
  shape: Shape,
  env: Record<string, string | undefined> = process.env,
): z.output<Shape> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''))
  const parsed = shape.safeParse(given)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`bad configuration\n${lines.join('\n')}`)
}

/** An address to which paths are appended, so it must not have a user, a query or a fragment. */
export const plainAddress = z
  .url({ protocol: /^https?$/, error: 'is not an http or https address' })
  .refine((text) => !/[?#@]/.test(text), 'must not contain a user, query or fragment')
  .transform((url) => url.replace(/\/+$/, ''))

/** Has no path, because pages link to each other from the root. */
const origin = plainAddress.refine(
  (url) => new URL(url).pathname === '/',
  'has a path: give the forum a host name of its own',
)

/** Settings that every service reads. */
export const commonConfig = {
  /** One server, or several of one bus, separated by commas. */
  NATS_URL: z
    .string()
    .regex(/^(nats|tls):\/\/./, { error: 'is not nats://… or tls://…', abort: true })
    .refine(isBusUrl, UNREADABLE)
    .default('nats://127.0.0.1:4222'),
  /** Shown to everybody. */
  BASE_URL: origin.default('http://localhost:8080'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** `host:port`, where metrics are served; nowhere when empty. */
  METRICS_LISTEN: z.string().refine(isListenAddress, 'is not <host>:<port>').default(''),
}

export const redisConfig = {
  REDIS_URL: z
    .string()
    .trim()
    .regex(/^rediss?:\/\/./, { error: 'is not redis://… or rediss://…', abort: true })
    .refine(isReadByRedis, UNREADABLE)
    .default('redis://127.0.0.1:6379'),
  /** What every key begins with, so that several forums can share one Redis. */
  REDIS_PREFIX: z.string().max(64).default('stoa:'),
}

/** The Redis client throws if it cannot decode an address. */
function isReadByRedis(url: string): boolean {
  try {
    return urlOf(url) !== null && decodeURIComponent(url) !== ''
  } catch {
    return false
  }
}

function isListenAddress(text: string): boolean {
  const isHostAndPort = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]+):\d+$/i.test(text)
  return text === '' || (isHostAndPort && urlOf(`http://${text}`) !== null)
}

/** A number from the environment within bounds; the error for any other value names the bounds. */
export function numberWithin(min: number, max: number) {
  return numberThat((n) => n >= min && n <= max, `is not a number from ${min} to ${max}`)
}

export function wholeNumberWithin(min: number, max: number) {
  const form = `is not a whole number from ${min} to ${max}`
  return numberThat((n) => Number.isSafeInteger(n) && n >= min && n <= max, form)
}

export function wholeNumber(min: number, max: number, fallback: number) {
  return wholeNumberWithin(min, max).default(fallback)
}

/** The values of one setting, separated by commas; none by default. */
export const commaSeparated = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

function numberThat(isMeant: (n: number) => boolean, form: string) {
  return z.coerce.number(form).refine(isMeant, form)
}
