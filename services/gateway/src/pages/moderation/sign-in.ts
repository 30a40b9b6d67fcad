import { html } from '../html.ts'
import { renderConsole } from './layout.ts'

export interface SignIn {
  readonly problem?: { readonly title: string; readonly detail: string }
  readonly hasEnded?: boolean
  /** A form was sent. */
  readonly isLost?: boolean
}

export function renderSignInPage({ problem, hasEnded, isLost }: SignIn): string {
  return renderConsole({
    title: 'Sign in',
    viewer: null,
    main: html`<article class="sign-in box">
<h1>Moderation</h1>
${problem ? html`<p class="notice bad" role="alert"><strong>${problem.title}.</strong> ${problem.detail}</p>` : null}
${(hasEnded || isLost) && !problem ? html`<p class="notice" role="status">The session has ended${isLost ? ', and what was sent was not done' : ''}. Sign in again to go on.</p>` : null}
<form class="stacked" method="post" action="/moderation/session">
<label for="key">Moderator key</label>
<input id="key" type="password" name="key" autocomplete="off" maxlength="200" required placeholder="stoa_…">
<button class="primary" type="submit">Sign in</button>
</form>
<p class="note">An operator makes a key with <code>npm run admin -- moderator create</code>. The session lasts eight hours, ends with the key, and opens nothing but these pages.</p>
</article>`,
  })
}
