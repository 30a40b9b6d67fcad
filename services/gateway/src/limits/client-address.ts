import { createHmac, randomBytes } from 'node:crypto'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether each entry is an address or a CIDR block. */
export function areBlocks(entries: readonly string[]): boolean {
  return entries.every((entry) => {
    const [address = '', bits, ...more] = entry.split('/')
    const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    return more.length === 0 && bitsMax >= 0 && (bits === undefined || isBits(bits, bitsMax))
  })
}

function isBits(text: string, max: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= max
}

/** The peers that may say for whom they forward; the entries are addresses and CIDR blocks. */
export function trustedProxies(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/**
 * The address a request counts for: the socket's peer, or the last one in X-Forwarded-For that is
 * not a trusted proxy itself. IPv6 counts by /64, since one subscriber owns at least that.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string {
  let address = plainAddress(peer ?? '')
  if (forwardedFor !== undefined && isProxy(address, trusted)) {
    // From the end, because our proxies append there; a client can write the rest.
    for (const hop of forwardedFor.split(',').reverse()) {
      const next = plainAddress(hop.trim())
      if (isIP(next) === 0) break
      address = next
      if (!isProxy(address, trusted)) break
    }
  }
  return isIP(address) === 6 ? subnetOf(address) : address
}

/** Whether a socket's peer is one of the trusted proxies. */
export function isTrusted(peer: string | undefined, trusted: BlockList): boolean {
  return isProxy(plainAddress(peer ?? ''), trusted)
}

function isProxy(address: string, trusted: BlockList): boolean {
  const version = isIP(address)
  return version !== 0 && trusted.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** An IPv4-mapped IPv6 address becomes the IPv4 address; a zone or port is left out. */
function plainAddress(text: string): string {
  const [bare = ''] = (text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text).split('%')
  const withoutPort = /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.split(':')[0] : bare
  return (withoutPort ?? '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}

/** The first 64 bits of an IPv6 address, in one spelling. */
function subnetOf(address: string): string {
  const [left = '', right] = address.split('::')
  const head = left.split(':').filter(Boolean)
  const tail = (right ?? '').split(':').filter(Boolean)
  const gap = right === undefined ? [] : new Array<string>(8 - head.length - tail.length).fill('0')
  const groups = [...head, ...gap, ...tail].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/**
 * Hashes addresses for logs and shared stores; without a configured key hashes differ per start.
 */
export function addressHasher(key: string): (address: string) => string {
  const secret = key === '' ? randomBytes(32) : Buffer.from(key)
  return (address) => createHmac('sha256', secret).update(address).digest('hex').slice(0, 16)
}
