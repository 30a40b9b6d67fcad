import { expect, it } from '@jest/globals'
import { splitUrl } from './bus-address.mjs'

it.each([
  ['nats://127.0.0.1', { servers: ['127.0.0.1:4222'] }],
  ['nats://[::1]:4223', { servers: ['[::1]:4223'] }],
  ['bus-1:4223,bus-2', { servers: ['bus-1:4223', 'bus-2:4222'] }],
  [
    'tls://content:a%2Fb%40c@bus-1,tls://bus-2',
    { servers: ['bus-1:4222', 'bus-2:4222'], tls: {}, user: 'content', pass: 'a/b@c' },
  ],
])('the bus address %s is split into servers, TLS, user and password', (url, address) => {
  expect(splitUrl(url)).toEqual(address)
})
