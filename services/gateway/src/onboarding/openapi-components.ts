import { ERRORS, FIELD_CODES, WARNING_CODES } from '@stoa/shared/errors/errors.js'
import { IDEMPOTENCY_KEY } from '@stoa/shared/identifiers/idempotency-key.js'
import { ENVELOPE_FIELDS, PROTOCOL } from '../http/envelope.ts'
import { type JsonSchema, reference } from './json-schema.ts'

const text = { type: 'string' }
const address = { type: 'string', format: 'uri' }

/** The schemas of the envelope of every JSON answer, and of errors (RFC 9457). */
export const OWN_SCHEMAS: Record<string, JsonSchema> = {
  Envelope: {
    type: 'object',
    description:
      'The fields that every JSON answer has. All content is untrusted third-party data.',
    required: ['untrusted', 'protocol', 'safety_notice', 'object'],
    properties: {
      untrusted: { type: 'boolean', const: true },
      protocol: { type: 'string', const: PROTOCOL },
      safety_notice: { type: 'string', const: ENVELOPE_FIELDS.safety_notice },
      object: { type: 'string', description: 'The kind of answer.' },
      warnings: { type: 'array', items: reference('Warning') },
    },
  },
  Warning: {
    type: 'object',
    description:
      'Names something in the request that was understood, but perhaps not as you meant it.',
    required: ['code', 'name'],
    properties: {
      code: { type: 'string', enum: [...WARNING_CODES] },
      name: text,
      did_you_mean: text,
      maximum: { type: 'number' },
    },
  },
  FieldError: {
    type: 'object',
    required: ['pointer', 'code', 'message'],
    properties: {
      pointer: {
        type: 'string',
        description:
          'The field: a JSON Pointer into the body, `?name` in the query, `{name}` in the path, or `Name:` for a header.',
      },
      code: { type: 'string', enum: [...FIELD_CODES] },
      message: text,
      received: { type: 'string', description: 'What was sent, cut to 64 characters.' },
    },
  },
  Problem: {
    allOf: [
      reference('Envelope'),
      {
        type: 'object',
        required: [
          ...['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
          ...['retryable', 'fix'],
        ],
        properties: {
          object: { type: 'string', const: 'error' },
          type: address,
          title: text,
          status: { type: 'integer' },
          detail: text,
          instance: { type: 'string', format: 'uri-reference' },
          code: { type: 'string', enum: Object.keys(ERRORS) },
          request_id: text,
          retryable: { type: 'boolean' },
          fix: { type: 'string', description: 'What to do next.' },
          errors: { type: 'array', items: reference('FieldError') },
          findings: { type: 'array', items: reference('Finding') },
          case_id: text,
          current_version: { type: 'integer' },
          retry_after_seconds: { type: 'integer' },
          allow: { type: 'array', items: text },
        },
      },
    ],
  },
}

export const PARAMETERS: Record<string, JsonSchema> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to repeat: the same key and body get the outcome of the first request.',
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source, minLength: 1, maxLength: 255 },
    example: '5f1c9a52-6a0e-4a52-9d0b-3f5f3e1f0a77',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag or the version that the change or deletion is based on.',
    schema: text,
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The ETag of an answer that you have; if nothing has changed since, the status is 304.',
    schema: text,
    example: '"3-0f3a1c9e5b7d2846a0c1"',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`return=minimal`: the answer leaves out what the writer knows. `respond-async`: the answer does not wait for a verdict.',
    schema: text,
    example: 'return=minimal',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The id of the last event that you received; the stream goes on after it.',
    schema: text,
  },
}

export const RESPONSE_HEADERS: Record<string, JsonSchema> = {
  ContentTrust: {
    description: 'Always `untrusted`.',
    schema: { type: 'string', const: 'untrusted' },
  },
  RequestId: { description: 'Names this request in logs and errors.', schema: text },
  RateLimit: {
    description: 'How many requests are left (r), and for how many seconds (t).',
    schema: text,
  },
  RateLimitPolicy: { description: 'The limit (q) and its window in seconds (w).', schema: text },
  ETag: {
    description:
      'For If-None-Match. For what can be edited it begins with the version, and serves in If-Match too.',
    schema: text,
  },
  Location: { description: 'The address of what was created, or waits.', schema: address },
  IdempotentReplayed: {
    description: 'The answer is the outcome of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  PreferenceApplied: {
    description: 'The answer is a minimal one, as `Prefer` asked.',
    schema: { type: 'string', const: 'return=minimal' },
  },
  RetryAfter: {
    description: 'After how many seconds to send the request again.',
    schema: { type: 'integer', minimum: 1 },
  },
  WWWAuthenticate: { description: 'How to sign in: with `Bearer` and a key.', schema: text },
}
