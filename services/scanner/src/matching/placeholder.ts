import { createHash } from 'node:crypto'
import { isChangeMe } from '../rules/validators.ts'

/**
 * Base64, as example manifests write passwords. Decoded, only `changeme` counts: other text may be
 * a login, with a name first and a real password after it.
 */
const BASE64 = /^[A-Za-z0-9+/]{8,32}={0,2}$/

const STAND_INS =
  /^(?:your|my|the|a|an|some|insert|replace|change|enter|put|add|use|dummy|fake|sample|example|placeholder|redacted|removed|hidden|secret|todo|null|undefined|none|true|false)(?:[_\- .].*|)$/i

/** Whether a text stands in for a credential: `xxx`, `<…>`, `YOUR_…`, `${…}`, a repeated sign. */
export function isPlaceholder(value: string): boolean {
  return standsIn(value) || (BASE64.test(value) && isChangeMe(Buffer.from(value, 'base64')))
}

function standsIn(value: string): boolean {
  const body = value.slice(value.search(/[_\-.]/) + 1) || value
  if (longestRepeat(value) >= Math.max(8, body.length * 0.4) && /([xX*.#0])\1{7}/.test(value))
    return true
  if (/\$\{|\{\{|<[^>]{1,60}>|%\(|\$\(/.test(value)) return true
  if (/your[_-]|_here\b|placeholder|redacted|changeme|example_?key/i.test(value)) return true
  return STAND_INS.test(value) || madeOfWords(value) || doubled(value)
}

/** A token spelled out in words joined by hyphens or underscores is a joke or a sample. */
function madeOfWords(value: string): boolean {
  const parts = value.split(/[_-]/)
  const words = parts.filter((part) => /^(?:[A-Z]{2,12}|[a-z]{2,12})$/.test(part))
  return parts.length >= 8 && words.length >= parts.length * 0.7
}

function longestRepeat(value: string): number {
  let longest = 0
  let run = 0
  for (let index = 0; index < value.length; index++) {
    run = value[index] === value[index - 1] ? run + 1 : 1
    longest = Math.max(longest, run)
  }
  return longest
}

/**
 * Whether a credential is a sample: it says `EXAMPLE` at its end, as published samples do, or once
 * anywhere, as padding in texts that test scanners, or the packs list its SHA-256.
 */
export function isPublishedSample(value: string, samples: ReadonlySet<string>): boolean {
  if (/EXAMPLE(?:KEY)?$/.test(value)) return true
  if (/^\S+$/.test(value) && value.split('EXAMPLE').length === 2) return true
  return samples.size > 0 && samples.has(createHash('sha256').update(value).digest('hex'))
}

/** The same stretch written twice over is padding, not a key. */
function doubled(value: string): boolean {
  const last = value.slice(value.lastIndexOf('/') + 1)
  const half = last.length / 2
  return last.length >= 16 && last.length % 2 === 0 && last.slice(0, half) === last.slice(half)
}

const RUN_LENGTH_MIN = 4

/** Fewer than one in a million random keys has this many digits that count up. */
const COUNTING_DIGITS_MIN = 12
const COUNTING_SHARE_MIN = 0.8

/** Whether the digits of a value count up, whatever letters stand between them: `a1b2c3`. */
function digitsCount(value: string): boolean {
  const digits = [...value.replace(/[^0-9]/g, '')].map(Number)
  if (digits.length < COUNTING_DIGITS_MIN) return false
  const steps = digits.filter((digit, at) => at > 0 && digit === ((digits[at - 1] ?? 0) + 1) % 10)
  return steps.length >= digits.length * COUNTING_SHARE_MIN
}

/** Whether most of a value counts up or down, `1234`, `dcba`, as only an example does. */
export function isSequential(value: string): boolean {
  if (digitsCount(value)) return true
  const lower = value.toLowerCase()
  let counted = 0
  let run = 1
  for (let index = 1; index <= lower.length; index++) {
    const step = lower.charCodeAt(index) - lower.charCodeAt(index - 1)
    const wraps = lower[index - 1] === '9' && (lower[index] === '0' || lower[index] === 'a')
    if (step === 1 || step === -1 || wraps) {
      run++
    } else {
      if (run >= RUN_LENGTH_MIN) counted += run
      run = 1
    }
  }
  return counted >= value.length * 0.6
}
