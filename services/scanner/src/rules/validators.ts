import type { Match } from './engine.ts'
import { entropy } from './entropy.ts'
import { isEd25519Pair, isWalletImportFormat } from './wallet-keys.ts'

/** A check in code of what a pattern found; a rule names it as its `validator`. */
type Validator = (value: string, text: string, match: Match) => boolean

export const VALIDATORS: Readonly<Record<string, Validator>> = {
  pem: (value) => pemBodyParses(value),
  url_password: (value, text, match) =>
    isLivePassword(value) && !repeatsUser(value, text, match) && !isOfUser(value, text, match),
  told_password: (value) => isToldPassword(value),
  generic: (value) => looksRandom(value),
  generic_assigned: (value, text, match) => looksRandom(value) && !namesNoSecret(text, match),
  secret_name: (_value, text, match) => !namesNoSecret(text, match),
  curl_user: (value) => isLiveLogin(value),
  basic_login: (value) => isRandomLogin(Buffer.from(value, 'base64').toString('latin1')),
  header_value: (value) => isLiveHeader(value),
  jwt: (value) => !isSampleToken(value),
  wallet_key: (value) => isWalletImportFormat(value) || isEd25519Pair(value),
  ed25519_pair: (value) => isEd25519Pair(value),
  seed_phrase: (value) => isSeedPhrase(value),
  link_elsewhere: (value) => leadsElsewhere(value),
  naked_person: (value, text, match) => isNakedPerson(value, text, match),
  kubernetes: (value) => kubernetesSecretHasData(value),
}

/** The first line of a key, or a whole key on one line; a `+` before it comes from a diff. */
const PEM_LINE = /[A-Za-z0-9+/]{40,}/
/** RSA and OpenSSH keys. Their first line only names the kind, and documentation shows it alone. */
const LONG_KEY = /^(?:MII|b3BlbnNzaC)/
const LONG_KEY_MIN = 100
const SHORT_KEY_MIN = 64

/** Whether a private key block holds base64 of a DER sequence, an OpenSSH or an OpenPGP packet. */
function pemBodyParses(block: string): boolean {
  const body = block.replace(/^-----[^-]*-----/, '').replace(/\\{1,4}[nr]/g, '\n')
  const line = PEM_LINE.exec(body)?.[0].replace(/^\++/, '') ?? ''
  const isLong = LONG_KEY.test(line)
  if (base64Length(body) < (isLong ? LONG_KEY_MIN : SHORT_KEY_MIN)) return false
  if (/(.)\1{20}/.test(line)) return false
  const bytes = Buffer.from(line, 'base64')
  const first = bytes[0] ?? 0
  const der = first === 0x30
  const openssh = bytes.subarray(0, 14).toString('latin1') === 'openssh-key-v1'
  const openpgp = (first & 0x80) !== 0 && block.includes('PGP')
  return (der || openssh || openpgp) && entropy(line) > 3.5
}

function base64Length(body: string): number {
  return body.match(/[A-Za-z0-9+/]{16,}/g)?.join('').length ?? 0
}

const WEAK_PASSWORD =
  /^(?:pass(?:word|wd)?|passwd|pwd|secret|token|test|user|username|admin|root|guest|changeme|change_me|foo|bar|baz|qux|hunter2|mypass(?:word)?|mysecret(?:password)?|my-?password|p4ssw0rd|pw|x+|\*+|\.+|example|redacted|key|apikey|api_key|credentials?|[0-9]{1,6})$/i

function isLivePassword(password: string): boolean {
  if (WEAK_PASSWORD.test(password)) return false
  return !/^[<$%{[(]|\$\{|\{\{|[>}\])]$|your|example|password/i.test(password)
}

/** Whether a value is a password: after "the password is", mostly plain words follow. */
function isToldPassword(value: string): boolean {
  const password = value.replace(/[.,;:!?)\]]{1,4}$/, '')
  if (password.length < 8 || !isLivePassword(password)) return false
  if (!looksMixed(password) || readableLength(password) >= password.length / 2) return false
  return /[!@#$%^&*+=?~|]/.test(password) || looksRandom(password)
}

/** Whether a password repeats its user, `postgres:postgres@`; a random one is a token twice. */
function repeatsUser(password: string, text: string, match: Match): boolean {
  return userOf(text, match) === password.toLowerCase() && !looksRandom(password)
}

/** Whether a login is an example: `user:p%40ss@` of an address, `scott:tiger@` of an SQL course. */
function isOfUser(password: string, text: string, match: Match): boolean {
  const user = userOf(text, match)
  if (user === 'scott') return password === 'tiger'
  return /^user(?:name)?$/.test(user) && !/[0-9]/.test(withoutPercent(password))
}

function withoutPercent(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, ' ')
}

function userOf(text: string, match: Match): string {
  const before = text.slice(match.start, match.innerStart)
  return before.slice(before.lastIndexOf('/') + 1, -1).toLowerCase()
}

const SAMPLE_PAYLOAD_MAX = 160

/** Whether a JWT lacks its signature, so that no server takes it, or is the John Doe sample. */
function isSampleToken(token: string): boolean {
  const [, written = '', signature] = token.split('.')
  if (!signature) return true
  const payload = Buffer.from(written, 'base64url').toString('latin1')
  return payload.length < SAMPLE_PAYLOAD_MAX && /John Doe|Jane Doe/.test(payload)
}

/** Whether `user:password`, as curl takes it, looks live; either half may be empty. */
function isLiveLogin(quoted: string): boolean {
  const login = quoted.replace(/['"]/g, '')
  if (/[$<{[(]|\.\.\./.test(login)) return false
  const colon = login.indexOf(':')
  if (colon === -1) return false
  const user = login.slice(0, colon)
  const password = login.slice(colon + 1)
  if (password === '') return user.length >= 8 && looksMixed(user)
  return (
    password.length >= 3 && isLivePassword(password) && !/^(?:user(?:name)?|api|test)$/i.test(user)
  )
}

/** Whether the password of a login is random; in documentation a login is made of words. */
function isRandomLogin(login: string): boolean {
  return isLiveLogin(login) && looksRandom(login.slice(login.indexOf(':') + 1))
}

function isLiveHeader(value: string): boolean {
  if (/[$<{[(]|\.\.\.|\*\*/.test(value)) return false
  if (/^(?:your|my|the|an?|some)|token|_key|api_?key|secret|password|example/i.test(value))
    return false
  return looksMixed(value)
}

function looksMixed(value: string): boolean {
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value)
}

/** Names that contain `key`, `token` or `secret` and yet hold nothing secret. */
const HARMLESS_NAME =
  /access(?:ibility|or)|(?:access|api|client|app|secret|credentials?|key|token)[_.-]?(?:id|name|version|type|url|uri|file|path|size|length|ref|arn|hash|count)|public|hash(?:ed)?[_.-]|author|(?:page|next|client|request|resume|cursor|sync|lock|continuation)[_.-]?token|csrf|foreign|primary|partition|:[0-9]{12}:secret:|sort[_-]?key|cache[_-]?key|idempotency|checksum|sha\d*|digest|integrity|commit/i

function namesNoSecret(text: string, match: Match): boolean {
  const name = text.slice(Math.max(0, match.start - 24), match.innerStart)
  return HARMLESS_NAME.test(name.slice(name.lastIndexOf('\n') + 1))
}

/** Whether a value is random, not made of words: digits among letters, hardly any readable run. */
function looksRandom(value: string): boolean {
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false
  if (/^v?[0-9]+(?:\.[0-9A-Za-z]+)+/.test(value) || /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(value))
    return false
  if (/012345|123456|234567|345678|456789|987654|abcdef/i.test(value)) return false
  const switches = value.match(/[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])|[a-z](?=[A-Z])/g)?.length ?? 0
  return switches >= 4 && readableLength(value) < value.length * 0.3
}

const READABLE = /[a-z]{5,}|[A-Z]{5,}/g
const CONSONANTS = /[bcdfghjklmnpqrstvwxz]{4}/i

/** Length of all runs that may be words: not in hexadecimal, not with four consonants in a row. */
function readableLength(value: string): number {
  if (/^[0-9a-f]+$/i.test(value)) return 0
  const runs = value.match(READABLE) ?? []
  return runs.filter((run) => !CONSONANTS.test(run)).join('').length
}

const SEED_WORDS_MIN = 10
/** Words of ordinary sentences, none of which is part of a seed. */
const SENTENCE = /\b(?:the|and|for|from|are|was|its|any|your|our|not|but|has|have|with|who|which)\b/

/** Whether a phrase has different words and no sentence; phrases in tests repeat their words. */
function isSeedPhrase(phrase: string): boolean {
  const words = phrase.split(/[\s,]+/)
  return new Set(words).size >= SEED_WORDS_MIN && words.length % 3 === 0 && !SENTENCE.test(phrase)
}

const CHANGE_ME =
  /^(?:change[_-]?me[\w!-]{0,8}|(?:my|your|some|strong)[_-]?(?:password|secret|token)[0-9!]{0,4})\s?$/i

/** Whether this is the password of an example that is to be changed: `changeme123`, `my-password`. */
export function isChangeMe(bytes: Buffer): boolean {
  return CHANGE_ME.test(bytes.toString('latin1'))
}

function kubernetesSecretHasData(manifest: string): boolean {
  if (/\n[ \t]*---/.test(manifest)) return false
  const values = manifest.matchAll(
    /^[ \t]+[\w.-]+:[ \t]*["']?([A-Za-z0-9+/]{10,}={0,3})["']?\s*$/gm,
  )
  for (const match of values) {
    const bytes = Buffer.from(match[1] ?? '', 'base64')
    if (
      bytes.length > 5 &&
      !isChangeMe(bytes) &&
      bytes.toString('base64').replaceAll('=', '') === (match[1] ?? '').replaceAll('=', '')
    ) {
      return true
    }
  }
  return false
}

const LINK =
  /^\[(?:https?:\/\/)?([^\s/:\]]{1,120})[^\]]{0,200}\]\(https?:\/\/(?:[^\s/?#)]{0,80}@)?([^\s/:?#)]{1,80})/i
/** A kind of Kubernetes resource (`rollouts.acme.io/Run`), an import or an image, and its source. */
const SOURCE =
  /^\[(?:[a-z0-9.-]{3,100}\/[A-Z]|(?:k8s\.io|golang\.org|gopkg\.in|go\.uber\.org|ghcr\.io)\/)[\w./-]{1,120}\]\(https:\/\/git(?:hub|lab)\.com$/
/** The owner of a repository, whose pages may be linked by the repository's address. */
const OWNER = /^\[(?:https?:\/\/)?git(?:hub|lab)\.com\/([\w-]{1,40})/

/** Short links and identifiers of publications, which everyone expects to lead elsewhere. */
const REDIRECTING =
  /^\[(?:https?:\/\/)?(?:(?:dx\.|www\.)?doi\.org|hdl\.handle\.net|w3id\.org|purl\.org|t\.co|bit\.ly|tinyurl\.com|goo\.gl|is\.gd|ow\.ly|buff\.ly|lnkd\.in)[/\]]/
/** A numeric host, one without a dot, or a name shown in other letters than it is written in. */
const ODD_HOST = /xn--|[^a-z0-9.-]|\.[0-9][a-z0-9]*$|^[^.]*$/
/** Short hosts that belong to one site, and the name of the site. */
const SHORT_FOR: Record<string, string> = {
  'youtu.be': 'youtube.com',
  'redd.it': 'reddit.com',
  'aka.ms': 'microsoft.com',
  'g.co': 'google.com',
}

/** Whether a link's text names a site other than that of its address. */
function leadsElsewhere(link: string): boolean {
  if (SOURCE.test(link)) return false
  const lowered = link.toLowerCase()
  const [, said = '', host = ''] = LINK.exec(lowered) ?? []
  const owner = OWNER.exec(lowered)?.[1]
  if (owner !== undefined && [`${owner}.github.io`, `${owner}.gitlab.io`].includes(host))
    return false
  if (REDIRECTING.test(lowered) && !ODD_HOST.test(host)) return false
  return /[a-z0-9]\.[a-z]{2}/.test(said) && siteOf(said) !== siteOf(host)
}

/** The last two labels of a host. If a site has more labels, fewer differences are found. */
function siteOf(host: string): string {
  const site = host.split('.').slice(-2).join('.')
  return SHORT_FOR[site] ?? site
}

/** Words in a match about minors that cannot be said of a program. */
const EXPLICIT =
  /fuck|blowjob|cumshot|porn|nude|masturbat|orgasm|pussy|cock|dick|anal|hentai|erotic|horny|sex|lewd|underage|pre-?teen|loli|shota|toddler|girl|boy|kid/
const NAKED_THING =
  /\bnaked\W{1,4}(?:pointers?|pods?|returns?|functions?|calls?|exec|forks?|spawns?|exceptions?|except|raises?|throws?|catch|domains?|redirects?|singletons?|types?|threads?|sockets?|strings?|objects?|structs?|lambdas?|promises?|awaits?|yields?|imports?|quer(?:y|ies)|unwraps?|panics?|errors?|generators?|loops?|binar(?:y|ies)|selects?|asserts?|urls?|references?|statements?|divs?|elements?|tags?|text|html|json|values?|numbers?|keys?|mole)\b/
const CHILD_THING =
  /\b(?:minors?|child(?:ren)?)\W{1,3}(?:process(?:es)?|nodes?|objects?|class(?:es)?|components?|elements?|domains?|zones?|threads?|tasks?|spans?|workflows?|pods?|heaps?|gc|collections?|versions?|releases?|goroutines?|windows?|views?|widgets?|themes?|routes?|actors?|loggers?|modules?|containers?|shells?|agents?)\b/
const NAKED_PICTURE =
  /\bnaked\W{1,4}(?:pic|photo|image|video|selfie|bod|girl|boy|child|kid|minor|people|m[ae]n\b|wom[ae]n)/

/** Whether a match is about a naked person, and not about an exception or a child process. */
function isNakedPerson(value: string, text: string, match: Match): boolean {
  if (EXPLICIT.test(value)) return true
  // The noun that the last word of the match belongs to stands after the match.
  const around = text.slice(match.start, match.end + 16)
  return !NAKED_THING.test(around) && (!CHILD_THING.test(around) || NAKED_PICTURE.test(around))
}
