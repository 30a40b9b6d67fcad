import { describe, expect, it } from '@jest/globals'
import { addressHasher, areBlocks, clientAddress, trustedProxies } from './client-address.ts'

const trusted = trustedProxies(['10.0.0.0/8', '::1'])

describe('the client address', () => {
  it('is the address of the peer if the peer is not a trusted proxy, whatever it forwards', () => {
    expect(clientAddress('203.0.113.7', '198.51.100.1', trusted)).toBe('203.0.113.7')
    expect(clientAddress('::ffff:203.0.113.7', undefined, trusted)).toBe('203.0.113.7')
  })

  it('is the last forwarded address that is not a trusted proxy', () => {
    const chain = '1.1.1.1, 198.51.100.1, 10.2.3.4'

    expect(clientAddress('10.0.0.1', chain, trusted)).toBe('198.51.100.1')
    expect(clientAddress('10.0.0.1', '198.51.100.1:4711', trusted)).toBe('198.51.100.1')
    expect(clientAddress('::ffff:10.0.0.1', chain, trusted)).toBe('198.51.100.1')
  })

  it('is not changed by a long chain that a client has forged', () => {
    const chain = [...new Array<string>(100).fill('1.1.1.1'), '198.51.100.1'].join(', ')

    expect(clientAddress('10.0.0.1', chain, trusted)).toBe('198.51.100.1')
  })

  it('is the address of the proxy if the proxy forwards no address', () => {
    expect(clientAddress('10.0.0.1', undefined, trusted)).toBe('10.0.0.1')
  })

  it('is empty if the connection has ended, whatever was forwarded', () => {
    expect(clientAddress(undefined, '198.51.100.1', trusted)).toBe('')
  })

  it('is the address of the proxy if the last forwarded entry is not an address', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, unknown', trusted)).toBe('10.0.0.1')
    expect(clientAddress('10.0.0.1', '', trusted)).toBe('10.0.0.1')
  })

  it('is the /64 prefix of an IPv6 address, in one spelling', () => {
    const subnet = '2001:db8:0:1::/64'

    expect(clientAddress('2001:db8:0:1::5', undefined, trusted)).toBe(subnet)
    expect(clientAddress('2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd', undefined, trusted)).toBe(
      subnet,
    )
    expect(clientAddress('::1', '[2001:db8:0:1::9]', trusted)).toBe(subnet)
    expect(clientAddress('2001:db8::', undefined, trusted)).toBe('2001:db8:0:0::/64')
    expect(clientAddress('1::2:3:4:5:6:7', undefined, trusted)).toBe('1:0:2:3::/64')
  })

  it.each(['fe80::1%a:b:c:d:e:f:g:h:i', '[fe80::1%a:b:c:d:e:f:g:h:i]', '[fe80::1%eth0]:4711'])(
    'has no zone if the forwarded address is %s',
    (hop) => {
      expect(clientAddress('10.0.0.1', hop, trusted)).toBe('fe80:0:0:0::/64')
    },
  )

  it('depends on trusted proxies that may only be addresses and CIDR blocks', () => {
    expect(areBlocks(['10.0.0.0/8', '::1', '2001:db8::/64', '10.0.0.1/32', '::1/128'])).toBe(true)
    for (const entry of ['localhost', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8']) {
      expect(areBlocks(['10.0.0.1', entry])).toBe(false)
    }
  })

  it('has the same hash for the same hash key, and a random hash without a hash key', () => {
    expect(addressHasher('k')('203.0.113.7')).toMatch(/^[0-9a-f]{16}$/)
    expect(addressHasher('')('203.0.113.7')).not.toBe(addressHasher('')('203.0.113.7'))
    expect(addressHasher('k')('203.0.113.7')).toBe(addressHasher('k')('203.0.113.7'))
    expect(addressHasher('k')('203.0.113.7')).not.toBe(addressHasher('other')('203.0.113.7'))
  })
})
