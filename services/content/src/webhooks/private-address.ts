import { BlockList, isIPv6 } from 'node:net'

/** Special-purpose IPv4 ranges (IANA registry, RFC 6890 and its updates). */
const IPV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Inside 2000::/3, the only range of IPv6 that is routed: protocols, examples, 6to4. */
const IPV6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const special = new BlockList()
for (const [net, prefix] of IPV4) special.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of IPV6) special.addSubnet(net, prefix, 'ipv6')

const routed = new BlockList()
routed.addSubnet('2000::', 3, 'ipv6')

/** Whether an address leads anywhere but the public internet. */
export function isPrivateAddress(address: string): boolean {
  if (!isIPv6(address)) return special.check(address, 'ipv4')
  return !routed.check(address, 'ipv6') || special.check(address, 'ipv6')
}
