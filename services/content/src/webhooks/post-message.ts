import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress } from './private-address.ts'

/** Standard Webhooks asks receivers to answer within 15 to 30 seconds. */
const DEADLINE_MS = 15_000

interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

/**
 * Posts a message and returns the status; redirects are not followed. Throws if the host is
 * private, cannot be reached, or does not answer in time. The address that is checked is the one
 * that is connected to, so a name that resolves differently in between leads nowhere.
 */
export async function postMessage(
  message: Message,
  allowPrivate: boolean,
  stop: AbortSignal,
): Promise<number> {
  const url = new URL(message.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowPrivate && isIP(host) && isPrivateAddress(host)) throw new Error('a private address')
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((done, fail) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: allowPrivate ? dns.lookup : publicLookup,
        signal: stop,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(message.body),
          'user-agent': 'stoa-webhooks',
          ...message.headers,
        },
      },
      (response) => {
        done(response.statusCode ?? 0)
        // Only the status counts, so the body is not read.
        response.destroy()
      },
    )
    // Not `AbortSignal.timeout`: one that only `AbortSignal.any` refers to is collected before it
    // fires.
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), DEADLINE_MS)
    sent.on('close', () => {
      clearTimeout(timer)
      // An answer that switches protocols causes no other event.
      fail(new Error('no answer'))
    })
    sent.on('error', fail)
    sent.end(message.body)
  })
}

const publicLookup = ((hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    const [first] = addresses
    if (!first || addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(new Error('a private address'), '', 0)
    }
    if (options.all) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}) as LookupFunction
