import { commaSeparated, wholeNumber } from '@stoa/shared/process/config.js'
import { z } from 'zod'
import { readSecret } from './signature.ts'
import type { WebhookSettings } from './webhooks.ts'

const URLS_MAX = 10

export const webhookConfig = {
  /** Addresses, separated by commas, that alerts are posted to; none by default. */
  WEBHOOK_URLS: commaSeparated.pipe(
    z
      .array(
        z
          .url({ protocol: /^https?$/, abort: true, error: 'is not an http or https address' })
          .refine((url) => !new URL(url).username, 'contains a user name'),
      )
      .max(URLS_MAX),
  ),
  /** `whsec_` and base64; several, separated by commas, while one replaces the other. */
  WEBHOOK_SECRET: commaSeparated.pipe(
    z.array(z.string().refine(readSecret, 'is not whsec_ and 24 to 64 bytes of base64')),
  ),
  /** Lets webhooks reach private addresses, and http ones. */
  WEBHOOK_ALLOW_PRIVATE: z.stringbool({ error: 'is not true or false' }).default(false),
  WEBHOOK_RETRY_MS: wholeNumber(10, 600_000, 5_000),
}

const Parsed = z.object(webhookConfig)

/** The settings, or undefined without an address. Throws if the settings do not go together. */
export function webhookSettings(config: z.output<typeof Parsed>): WebhookSettings | undefined {
  const { WEBHOOK_URLS: urls, WEBHOOK_ALLOW_PRIVATE: allowPrivate } = config
  if (urls.length === 0) return undefined
  const secrets = config.WEBHOOK_SECRET.map((text) => readSecret(text) as Buffer)
  if (secrets.length === 0)
    throw new Error('WEBHOOK_URLS is set: set WEBHOOK_SECRET too, which signs webhooks')
  if (!allowPrivate && urls.some((url) => !url.startsWith('https://'))) {
    throw new Error('WEBHOOK_URLS must be https unless WEBHOOK_ALLOW_PRIVATE is true')
  }
  return { urls, secrets, allowPrivate, retryMs: config.WEBHOOK_RETRY_MS }
}
