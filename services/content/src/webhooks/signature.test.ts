import { describe, expect, it } from '@jest/globals'
import { readSecret, signedHeaders } from './signature.ts'

describe('the signature of a webhook message', () => {
  it('equals that of the reference implementation of Standard Webhooks', () => {
    const secret = readSecret('whsec_' + 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') as Buffer

    const headers = signedHeaders(
      {
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        body: '{"test": 2432232314}',
        atMs: 1_614_265_330_000,
      },
      [secret],
    )

    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('has one part for each secret while one secret replaces another', () => {
    const secrets = [Buffer.alloc(24, 1), Buffer.alloc(24, 2)]

    const headers = signedHeaders({ id: 'a', body: '{}', atMs: 0 }, secrets)

    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
  })

  const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`

  it.each([24, 64])('can be made with a secret of %d bytes', (count) => {
    expect(readSecret(ofBytes(count))).toHaveLength(count)
  })

  it.each(['', 'whsec_', ofBytes(23), ofBytes(65), ofBytes(32).slice(6), 'whsec_***'])(
    'cannot be made with the malformed secret %j',
    (text) => {
      expect(readSecret(text)).toBeUndefined()
    },
  )
})
