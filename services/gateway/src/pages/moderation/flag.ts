import { FlagReason } from '@stoa/shared/contracts/flags.js'
import { type HtmlPart, html, type SafeHtml } from '../html.ts'
import { postForm, type Viewer } from './layout.ts'
import { options } from './parts.ts'

/**
 * The form by which one flag of a moderator raises an alert. `what` holds fields that name the
 * target if `path` does not.
 */
export function flagForm(
  path: string,
  viewer: Viewer,
  what: HtmlPart = null,
  label = 'Flag it',
): SafeHtml {
  return postForm(
    path,
    viewer,
    html`${what}<label><span class="visually-hidden">Reason</span>
<select name="reason">${options(FlagReason.options, 'other')}</select></label> <button type="submit">${label}</button>`,
  )
}
