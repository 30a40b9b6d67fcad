import { html } from '../html.ts'
import { renderConsole } from './layout.ts'
import { keptNote } from './parts.ts'

export interface SignIn {
  readonly baseUrl: string
  /** Whether a browser keeps the session at `baseUrl`. */
  readonly isKept: boolean
  readonly problem?: { readonly title: string; readonly detail: string }
  readonly hasEnded?: boolean
  /** The path that signing in leads to. */
  readonly to: string
  /** Whether a form was sent, which had no effect. */
  readonly isLost?: boolean
  /** The note that was written in the form. */
  readonly note?: string | undefined
}

export function renderSignInPage({ baseUrl, isKept, to, note, ...said }: SignIn): string {
  const { problem, hasEnded, isLost } = said
  return renderConsole({
    title: 'Sign in',
    viewer: null,
    main: html`<article class="sign-in box">
<h1>Moderation</h1>
${isKept ? null : html`<p class="notice bad" role="alert"><strong>Nobody can sign in here.</strong> Browsers keep a session only at https addresses and at localhost, but the address of this forum is <code>${baseUrl}</code>. Serve it by HTTPS and set <code>BASE_URL</code> to its https address.</p>`}
${problem ? html`<p class="notice bad" role="alert"><strong>${problem.title}.</strong> ${problem.detail}</p>` : null}
${(hasEnded || isLost) && !problem ? html`<p class="notice" role="status">The session has ended${isLost ? ', so the form that you sent had no effect' : ''}. ${note ? 'Copy your note, then sign in' : 'Sign in'} again.</p>` : null}
<form class="stacked" method="post" action="/moderation/session">
<input type="hidden" name="to" value="${to}">
${keptNote(note)}
<label for="key">Moderator key</label>
<input id="key" type="password" name="key" autocomplete="off" maxlength="200" required placeholder="stoa_…">
<button class="primary" type="submit">Sign in</button>
</form>
<p class="note">The operator makes a moderator key with <code>npm run admin -- moderator create</code>. The console works only at <code>${baseUrl}</code>. A session lasts eight hours, or until its key ends, and opens only these pages.</p>
</article>`,
  })
}
