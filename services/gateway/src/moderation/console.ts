import { AppError, ERRORS, isAppError, wordingOf } from '@stoa/shared/errors/errors.js'
import type { Redis } from 'ioredis'
import type { Core } from '../core.ts'
import { type Exchange, isRead, ownHeaders, UNTRUSTED } from '../http/exchange.ts'
import { HTML_TYPE } from '../http/media-types.ts'
import { secretsInPath, secretsInQuery } from '../http/misplaced-keys.ts'
import { CONSOLE_HEADERS } from '../http/page-headers.ts'
import { queryOf } from '../http/path-of.ts'
import { fieldSentences, retryAfterSeconds } from '../http/problem.ts'
import { firstText, parseFields, parseQuery } from '../http/query.ts'
import { RateLimited } from '../limits/limiter.ts'
import { NO_SUCH_PAGE } from '../pages/error.ts'
import { localPath, withQuery } from '../pages/links.ts'
import { type ConsoleError, renderConsoleError } from '../pages/moderation/error.ts'
import { accountPath, alertPath } from '../pages/moderation/parts.ts'
import { renderSignInPage, type SignIn } from '../pages/moderation/sign-in.ts'
import { count } from '../serving/admit.ts'
import type { Resource } from '../serving/app.ts'
import { logFailure } from '../serving/failure-log.ts'
import { acts } from './acts.ts'
import { ENDED_COOKIE, isKeptAt, sessionCookie, sessionTokenFrom } from './cookie.ts'
import { createKeptDecisions } from './kept-decisions.ts'
import { createLooks } from './looks.ts'
import { isFromThisSite, readForm } from './own-form.ts'
import { createSessionStore, isFormTokenOf, type Session } from './session-store.ts'
import { isStillGood, signIn } from './sign-in.ts'
import { views } from './views.ts'
import { type ConsoleAnswer, type ConsoleDeps, noteIn, queueOf, Visit } from './visit.ts'

const HOME = '/moderation'

/** The moderation console: pages and plain forms, for the browsers of moderators only. */
export function consoleResources(core: Core, redis: Redis): Resource[] {
  const sessions = createSessionStore(redis, core.breakers)
  const looks = createLooks(redis, core.breakers)
  const decisions = createKeptDecisions(redis, core.breakers)
  const deps = { core, sessions, looks, decisions }
  const paths = [...new Set([...Object.keys(views), ...Object.keys(acts)])]
  const resource = (path: string, answer: (exchange: Exchange) => Promise<ConsoleAnswer>) => ({
    path,
    takesEveryMethod: true,
    serve: async (exchange: Exchange) => {
      const fail = (error: unknown) => failure(core, exchange, error)
      const respond = async () => send(exchange, await answer(exchange).catch(fail))
      await core.atOnce.during(exchange, respond).catch((error) => send(exchange, fail(error)))
    },
  })
  return [
    resource(`${HOME}/session`, (exchange) => startSession(deps, exchange)),
    ...paths.map((path) => resource(path, (exchange) => answerVisit(deps, path, exchange))),
  ]
}

/** 1. Only this site's form. 2. Count the attempt. 3. Open a session and end the one before. */
async function startSession(
  { core, sessions }: ConsoleDeps,
  exchange: Exchange,
): Promise<ConsoleAnswer> {
  const { req } = exchange
  if (req.method !== 'POST') return { location: HOME }
  if (!isFromThisSite(req, core.config.baseUrl)) throw notOurForm()
  await count(core, exchange, 'signin')
  const form = await readForm(req)
  const { key = '', to } = form
  const place = placeIn(core, firstText(to))
  try {
    const token = await signIn(core, sessions, String(key))
    const before = sessionTokenFrom(req)
    // A session that cannot be ended now keeps nobody from signing in; it ends by itself.
    if (before) await sessions.end(before).catch(() => {})
    return { location: place, cookie: sessionCookie(token) }
  } catch (error) {
    if (!isAppError(error) || error.status >= 500) throw error
    const problem = describe(error)
    return {
      page: signInPage(core, { problem, to: place, note: noteIn(form) }),
      status: error.status,
    }
  }
}

/** The page of the console that was asked for before signing in, or the queue if `to` is none. */
function placeIn({ config: { baseUrl } }: Core, to: string): string {
  const place = localPath(to, { baseUrl }, HOME)
  return /^\/moderation[/?]/.test(place) ? place : HOME
}

async function answerVisit(
  deps: ConsoleDeps,
  path: string,
  exchange: Exchange,
): Promise<ConsoleAnswer> {
  const { core } = deps
  const { req } = exchange
  const isView = isRead(req)
  const handler = isView ? views[path] : acts[path]
  if (!handler || (!isView && req.method !== 'POST')) {
    throw new AppError('method_not_allowed', { allow: methodsOf(path) })
  }
  const found = await currentSession(deps, exchange)
  if (!found) {
    await count(core, exchange, 'read')
    return askToSignIn(core, exchange)
  }
  const { agent_id, handle, key_id } = found.session
  exchange.caller = { agent_id, handle, key_id, role: 'moderator' }
  await count(core, exchange, isView ? 'read' : 'moderate')
  const fields = isView ? parseQuery(queryOf(req.url)) : await sentFields(core, exchange)
  if (!isView && !isFormTokenOf(found.token, fields.form_token)) {
    return failure(core, exchange, notOurForm(), { note: noteIn(fields) })
  }
  const visit = new Visit(deps, exchange, found, fields)
  return handler(visit).catch((error: unknown) => failure(core, exchange, error, visit))
}

function methodsOf(path: string): string[] {
  return [...(views[path] ? ['GET', 'HEAD'] : []), ...(acts[path] ? ['POST'] : [])]
}

interface Found {
  session: Session
  token: string
}

async function currentSession(
  { core, sessions }: ConsoleDeps,
  { req }: Exchange,
): Promise<Found | undefined> {
  const token = sessionTokenFrom(req)
  const session = token === undefined ? null : await sessions.find(token)
  if (token === undefined || session === null) return undefined
  // The key is checked for each request, so a session that it no longer opens may live on.
  return (await isStillGood(core, session)) ? { session, token } : undefined
}

/**
 * The page to sign in, after which the moderator is led to what was asked for. Also removes the
 * cookie that an ended session left behind.
 */
async function askToSignIn(core: Core, exchange: Exchange): Promise<ConsoleAnswer> {
  const hadSession = sessionTokenFrom(exchange.req) !== undefined
  const isLost = exchange.req.method === 'POST'
  const sent = isLost ? await sentFields(core, exchange).catch(() => ({})) : {}
  const { queue = {}, subject } = placeOf(exchange)
  const to = isLost ? withQuery(subject ?? HOME, queue) : askedFor(exchange)
  return {
    page: signInPage(core, { hasEnded: hadSession, isLost, to, note: noteIn(sent) }),
    status: exchange.template === HOME ? 200 : 403,
    ...(hadSession ? { cookie: ENDED_COOKIE } : {}),
  }
}

function signInPage(
  { config: { baseUrl } }: Core,
  more: Omit<SignIn, 'baseUrl' | 'isKept'>,
): string {
  return renderSignInPage({ baseUrl, isKept: isKeptAt(baseUrl), ...more })
}

/** The fields of a form that a page of this site sent; its token tells the session it is of. */
async function sentFields(core: Core, { req }: Exchange): Promise<Record<string, unknown>> {
  if (!isFromThisSite(req, core.config.baseUrl)) throw notOurForm()
  return readForm(req)
}

function notOurForm(): AppError {
  return new AppError('bad_request', { reason: 'form' })
}

/**
 * In the words of the error table, except for those about JSON, cursors or writes, which no
 * moderator sees.
 */
function describe(error: AppError) {
  if (error.code === 'validation_failed') return REFUSED
  if (error.code === 'timeout') return LATE
  if (error.code === 'invalid_cursor') {
    return { title: NO_SUCH_PAGE.title, detail: NO_SUCH_PAGE.explanation }
  }
  return { title: ERRORS[error.code].title, detail: wordingOf(error).detail }
}

const REFUSED = {
  title: 'The form or the address is not valid',
  detail: 'Correct this in the form or in the address:',
}

/** A moderator who has only opened a page must not think that something was decided. */
const LATE = {
  title: ERRORS.timeout.title,
  detail:
    'If you sent a form, it may have taken effect: look at the alert or account before you send it again.',
}

function failure(
  core: Core,
  exchange: Exchange,
  thrown: unknown,
  { viewer, note }: Pick<ConsoleError, 'viewer' | 'note'> = {},
): ConsoleAnswer {
  const error = isAppError(thrown) ? thrown : new AppError('internal')
  if (error instanceof RateLimited) exchange.budget = error.budget
  const about = { request_id: exchange.requestId, code: error.code, instance: exchange.template }
  logFailure(core.log, about, error, thrown)
  const retryAfter = retryAfterSeconds(error)
  return {
    page: renderConsoleError({
      ...describe(error),
      status: error.status,
      requestId: exchange.requestId,
      fields: fieldSentences(error),
      retryAfter,
      viewer,
      note,
      // A page that cannot be shown may fail because of its filters, so no link repeats them.
      ...(exchange.req.method === 'POST' ? placeOf(exchange) : {}),
    }),
    status: error.status,
    retryAfter,
    ...(error.details.allow ? { allow: error.details.allow } : {}),
  }
}

/** The part of the queue and the page to which a form leads back. */
function placeOf(exchange: Exchange): Pick<ConsoleError, 'queue' | 'subject'> {
  const { req, path } = exchange
  return holdsSecret(exchange) ? {} : { queue: queueOf(req.url), subject: subjectOf(path) }
}

/** The requested page with all its filters. */
function askedFor(exchange: Exchange): string {
  return holdsSecret(exchange) ? HOME : (exchange.req.url ?? HOME)
}

/** Whether an address holds a key, which no link may repeat. */
function holdsSecret({ req, path }: Exchange): boolean {
  const secrets = [...secretsInPath(path), ...secretsInQuery(parseFields(queryOf(req.url)))]
  return secrets.length > 0
}

/** The page of the alert or account that a form is about. */
function subjectOf({ id, handle }: Exchange['path']): string | undefined {
  if (id !== undefined) return alertPath(id)
  return handle === undefined ? undefined : accountPath(handle)
}

function send(exchange: Exchange, answer: ConsoleAnswer): void {
  const { res } = exchange
  if (res.headersSent || res.destroyed) return
  const body = Buffer.from('page' in answer ? answer.page : '')
  const headers = [...UNTRUSTED, ...ownHeaders(exchange), ...CONSOLE_HEADERS]
  headers.push('Content-Type', HTML_TYPE, 'Content-Length', String(body.length))
  if ('location' in answer) headers.push('Location', answer.location)
  if ('page' in answer && answer.allow) headers.push('Allow', answer.allow.join(', '))
  if ('page' in answer && answer.retryAfter !== undefined) {
    headers.push('Retry-After', String(answer.retryAfter))
  }
  if (answer.cookie) headers.push('Set-Cookie', answer.cookie)
  res.writeHead('page' in answer ? (answer.status ?? 200) : 303, headers)
  res.end(body)
}
