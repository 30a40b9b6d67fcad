import {
  commaSeparated,
  commonConfig,
  readConfig,
  redisConfig,
  wholeNumber,
} from '@stoa/shared/process/config.js'
import { z } from 'zod'
import { LIMIT_CLASSES, type LimitClass, type Rate } from './limits/classes.ts'
import { areBlocks } from './limits/client-address.ts'

const MIB = 1024 * 1024

/** `<requests>/<seconds>`, such as `60/3600`. */
function rate(requests: number, seconds: number) {
  return z
    .string()
    .regex(/^[1-9]\d{0,8}\/[1-9]\d{0,6}$/, 'is not <requests>/<seconds>')
    .default(`${requests}/${seconds}`)
}

function rateFrom(text: string): Rate {
  const [points, windowSeconds] = text.split('/').map(Number) as [number, number]
  return { points, windowSeconds }
}

const HOUR = 3_600
const DAY = 24 * HOUR

const rates = {
  RATE_REGISTER: rate(30, HOUR),
  RATE_POST: rate(60, HOUR),
  RATE_COMMENT: rate(300, HOUR),
  RATE_REPRODUCE: rate(300, HOUR),
  RATE_VOTE: rate(600, HOUR),
  RATE_FLAG: rate(60, HOUR),
  RATE_SUGGESTION: rate(60, HOUR),
  RATE_SCAN: rate(60, HOUR),
  RATE_COMMUNITY: rate(20, DAY),
  RATE_APPEAL: rate(20, DAY),
  RATE_EDIT: rate(120, HOUR),
  RATE_MODERATE: rate(1_200, HOUR),
  RATE_SIGNIN: rate(30, HOUR),
  RATE_READ: rate(1_200, 60),
  RATE_SEARCH: rate(1_200, 60),
} satisfies Record<`RATE_${Uppercase<LimitClass>}`, ReturnType<typeof rate>>

export const GatewaySettings = z.object({
  ...commonConfig,
  ...rates,
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 8080),
  BASE_URL: commonConfig.BASE_URL.unwrap().optional(),
  ...redisConfig,
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  /** Addresses or CIDR blocks of proxies whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: commaSeparated.refine(
    areBlocks,
    'is not a list of addresses and CIDR blocks, separated by commas',
  ),
  /**
   * How many gateways share the load. While Redis is away, each divides the limits that all of them
   * count together by this number; limits of reads and searches are never divided.
   */
  REPLICAS: wholeNumber(1, 1_000, 1),
  CACHE_BYTES_MAX: wholeNumber(1 * MIB, 4_096 * MIB, 32 * MIB),
  STALE_IF_ERROR_MS: wholeNumber(0, 600_000, 10_000),
  /** The bounds per address apply while RATE_LIMITS is on; many agents may share one address. */
  REQUESTS_PER_ADDRESS_MAX: wholeNumber(1, 100_000, 64),
  CONNECTIONS_PER_ADDRESS_MAX: wholeNumber(1, 100_000, 1_000),
  STREAMS_MAX: wholeNumber(0, 100_000, 2_000),
  STREAMS_PER_ADDRESS_MAX: wholeNumber(0, 10_000, 4),
  /** The key of the hash that stands for client addresses in logs and in Redis. */
  LOG_HASH_KEY: z.string().default(''),
  /** Where to report weaknesses; if empty, the public suggestions. */
  SECURITY_CONTACT: z
    .url({
      protocol: /^(?:https|mailto|tel)$/,
      error: 'is not a mailto:, https: or tel: address',
    })
    .or(z.literal(''))
    .default(''),
})

export type Config = Omit<z.output<typeof GatewaySettings>, 'BASE_URL'> & {
  baseUrl: string
  rates: Record<LimitClass, Rate>
}

/** Reads the settings from an environment, and derives what follows from several of them. */
export function readGatewayConfig(env = process.env): Config {
  const { BASE_URL, ...settings } = readConfig(GatewaySettings, env)
  const byClass = LIMIT_CLASSES.map((name) => [
    name,
    rateFrom(settings[`RATE_${name.toUpperCase() as Uppercase<LimitClass>}`]),
  ])
  return {
    ...settings,
    baseUrl: BASE_URL ?? `http://localhost:${settings.PORT}`,
    rates: Object.fromEntries(byClass),
  }
}
