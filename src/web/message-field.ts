import { html } from 'hono/html'
import type { Html } from './cells.ts'

/** Where a form for many objects asks why they are changed, for their change records. */
export const messageField = (typed = ''): Html => {
  const input = html`<input id="f-changelog_message" name="changelog_message" maxlength="200"
    value="${typed}" placeholder="Why (optional)">`
  return html`<div class="field"><label for="f-changelog_message">Message</label>${input}</div>`
}
