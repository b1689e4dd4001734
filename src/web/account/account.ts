import { html, raw } from 'hono/html'
import { type Answer, forbidden } from '../../http/request.ts'
import type { Html } from '../cells.ts'
import { page } from '../frame.ts'
import type { Visit } from '../visit.ts'

/** The own pages of a user: the last part of their address, and what they are called. */
const Pages = [
  ['profile', 'Profile'],
  ['bookmarks', 'Bookmarks'],
  ['notifications', 'Notifications'],
  ['subscriptions', 'Subscriptions'],
  ['preferences', 'Preferences'],
  ['password', 'Password'],
  ['second-factor', 'Second factor'],
  ['sessions', 'Sessions'],
  ['api-tokens', 'API tokens'],
] as const
type AccountPage = (typeof Pages)[number][0]

export const accountHref = (visit: Visit, name: AccountPage): string => `${visit.config.basePath}/user/${name}/`

/** Id of whoever asks. Throws `ApiError` 403 for nobody, which leads to where one logs in. */
export function ownId(visit: Visit): number {
  if (visit.actor.userId === null) throw forbidden('Authentication credentials were not provided.')
  return visit.actor.userId
}

/** One of the own pages in the frame that they share. */
export function accountPage(
  visit: Visit,
  name: AccountPage,
  body: Html,
  more: { status?: number; title?: string; actions?: Html | ''; headers?: Record<string, string> } = {},
): Answer {
  const label = Pages.find(([each]) => each === name)![1]
  return page(visit, {
    ...more,
    title: more.title ?? label,
    note: html`${visit.actor.username}`,
    ...(more.title ? { crumbs: [[accountHref(visit, name), label]] } : {}),
    body: html`<nav class="tabs" aria-label="My pages"><ul>${Pages.map(
      ([each, text]) =>
        html`<li><a href="${accountHref(visit, each)}"${
          each === name ? raw(' aria-current="page"') : ''
        }>${text}</a></li>`,
    )}</ul></nav>${body}`,
  })
}
