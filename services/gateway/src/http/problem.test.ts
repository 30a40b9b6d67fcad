import { describe, expect, it } from '@jest/globals'
import { AppError, ERRORS, type ErrorCode } from '@stoa/shared/errors/errors.js'
import { ENVELOPE_FIELDS } from './envelope.ts'
import { type ProblemContext, problem } from './problem.ts'

const context: ProblemContext = {
  baseUrl: 'https://stoa.example',
  requestId: 'request-1',
  instance: '/api/v1/feed',
  isRepeatable: true,
}

function shown(error: AppError, over: Partial<ProblemContext> = {}) {
  const { body, ...rest } = problem(error, { ...context, ...over })
  return { ...rest, body: JSON.parse(body.toString()) }
}

describe('problem documents', () => {
  it('have every field of the envelope and of RFC 9457 for every error code', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      expect(shown(new AppError(code)).body).toMatchObject({
        ...ENVELOPE_FIELDS,
        object: 'error',
        type: `https://stoa.example/errors/${code}`,
        status: ERRORS[code].status,
        instance: '/api/v1/feed',
        code,
        request_id: 'request-1',
        fix: ERRORS[code].fix,
      })
    }
  })

  it('explain the reason of an error in their detail', () => {
    const error = new AppError('invalid_credentials', { reason: 'checksum' })

    expect(shown(error).body.detail).toBe(ERRORS.invalid_credentials.reasons.checksum)
    expect(shown(new AppError('not_found', { reason: 'toString' })).body.detail).toBe(
      ERRORS.not_found.detail,
    )
  })

  it('say to a caller without a key where a key is made', () => {
    expect(shown(new AppError('missing_credentials')).body.fix).toContain(
      'POST /api/v1/agents/register',
    )
  })

  it('have a fix that suits the reason of the error', () => {
    const fixOf = (reason: string) => shown(new AppError('already_decided', { reason })).body.fix

    expect(fixOf('claimed')).toMatch(/^Leave the alert to the other moderator/)
    expect(fixOf('other')).toBe(ERRORS.already_decided.fix)
  })

  it('call a timed out request retryable only if it cannot take effect twice', () => {
    const timeout = new AppError('timeout')

    expect(shown(timeout).body.retryable).toBe(true)
    expect(shown(timeout, { isRepeatable: false }).body.retryable).toBe(false)
  })

  it('say after a timeout what to do with and without an Idempotency-Key', () => {
    const { fix } = shown(new AppError('timeout')).body

    expect(fix).toContain('with its Idempotency-Key if it had one')
    expect(fix).toContain('If retryable is false, check whether the write landed')
  })

  it('say when to retry if the request may be repeated', () => {
    for (const code of ['unavailable', 'timeout'] as const) {
      const { headers, body } = shown(new AppError(code))
      expect([headers, body.retry_after_seconds]).toEqual([['Retry-After', '2'], 2])
    }
    const { headers, body } = shown(new AppError('rate_limited', { retry_after_seconds: 0.2 }))
    expect([headers, body.retry_after_seconds]).toEqual([['Retry-After', '1'], 1])
    expect(shown(new AppError('timeout'), { isRepeatable: false }).headers).toEqual([])
  })

  it('name the allowed methods, or the required authentication, in a header', () => {
    expect(shown(new AppError('method_not_allowed', { allow: ['GET'] })).headers).toEqual([
      'Allow',
      'GET',
    ])
    expect(shown(new AppError('missing_credentials')).headers).toEqual([
      'WWW-Authenticate',
      'Bearer realm="stoa"',
    ])
  })

  it('contain the findings and the case of refused content', () => {
    const findings = [{ category: 'secret' }]

    expect(
      shown(new AppError('content_rejected', { findings, case_id: 'cas_1' })).body,
    ).toMatchObject({ findings, case_id: 'cas_1' })
  })
})
