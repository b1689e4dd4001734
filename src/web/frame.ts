import { html, raw } from 'hono/html'
import { shownTime } from '../history/past.ts'
import { loginHref } from '../http/admission.ts'
import { isSecure } from '../http/session.ts'
import type { Answer, Call } from '../http/request.ts'
import type { Visit } from './visit.ts'
import { assetHref } from './assets.ts'
import type { Html } from './cells.ts'
import { hereIn } from './links.ts'
import { menusOf } from './menu.ts'
import { hereAt, isKept } from './moment.ts'
import { preference, preferencesOf } from './preferences.ts'

/** A page without its frame. */
interface Content {
  title: string
  /** What leads here, from the most general: address and name. */
  crumbs?: readonly (readonly [href: string, name: string])[]
  /** Buttons beside the heading. */
  actions?: Html | ''
  /** Beside the title, in smaller letters. */
  note?: Html | ''
  body: Html | readonly Html[]
  /** Says to scripts that one has to log in first. */
  isLogin?: boolean
  status?: number
  headers?: Readonly<Record<string, string>>
}

/** A drawing of the icon set by its name. */
export const icon = (call: Visit, name: string): Html =>
  html`<svg class=icon aria-hidden=true><use href="${assetHref(call.config.basePath, 'icons.svg')}#${name}"/></svg>`

/** A whole page in the frame that all have: menu, search, messages, crumbs. */
export function page(call: Visit, content: Content): Answer {
  const preferences = preferencesOf(call)
  const body = html`${head(call, content.title, preferences)}
<body${preference(preferences, 'ui.tables.striping') === 'true' ? raw(' class="striped"') : ''}>
<a class="skip" href="#main">Skip to content</a>
${top(call)}
<div class="sides" hx-boost="true" hx-target="#main" hx-select="#main" hx-select-oob="#bell,#when"
  hx-swap="outerHTML show:window:top">${menu(call)}
<main id="main" tabindex="-1">${momentBanner(call)}${diskWarning(call)}
${
  call.message
    ? html`<p class="message ${call.message.tone}" role="status">${call.message.text}${
        call.message.link ? html` <a href="${call.message.link[0]}">${call.message.link[1]}</a>` : ''
      }</p>`
    : ''
}
${
  content.crumbs?.length
    ? html`<nav class="crumbs" aria-label="Breadcrumbs"><ol>${content.crumbs.map(
        ([href, name]) => html`<li><a href="${href}">${name}</a></li>`,
      )}</ol></nav>`
    : ''
}
<header class="head"><h1>${content.title}${content.note ? html` <small>${content.note}</small>` : ''}</h1>${
    content.actions ? html`<div class="actions">${content.actions}</div>` : ''
  }</header>
${content.body}
${ageLine(call)}</main></div>
</body></html>`
  return {
    status: content.status ?? 200,
    body: String(body),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(call.message ? { 'set-cookie': messageCookie(call, '', 0) } : {}),
      ...content.headers,
    },
  }
}

/** A page without menu and search: for whoever is not logged in. */
export function plainPage(call: Visit, content: Content): Answer {
  const body = html`${head(call, content.title)}
<body class="plain"${content.isLogin ? raw(' data-login') : ''}><main id="main">
<p class="brand">${logo}<span>Cabinet</span></p><h1>${content.title}</h1>
${content.body}
${ageLine(call)}</main></body></html>`
  return {
    status: content.status ?? 200,
    body: String(body),
    headers: { 'content-type': 'text/html; charset=utf-8', ...content.headers },
  }
}

/** Says of a server that follows another how old what it shows may be, and where changes are made. */
function ageLine({ store: { follows }, at }: Visit): Html | '' {
  if (!follows || at) return ''
  const whose = follows.url ? html`<a href="${follows.url}" hx-boost="false">${follows.url}</a>` : 'another server'
  return html`<p class="follows"><small>Follows ${whose}, as it was ${ago(Date.now() - follows.asOf())}. Changes
are made there.</small></p>`
}

/** `12 seconds ago`, from milliseconds. */
function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [n, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86_400), 'day']
  return `${n} ${unit}${n === 1 ? '' : 's'} ago`
}

const HtmxConfig = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  defaultSettleDelay: 0, // what is shown is ready: a key pressed before would lead to another page, and lose the focus
  attributesToSettle: ['class', 'width', 'height'], // the policy of pages refuses to set the attribute style
  responseHandling: [
    { code: '[23]..', swap: true },
    { code: '[45]..', swap: true, error: false },
  ],
})

function head(call: Visit, title: string, preferences: Record<string, unknown> = {}): Html {
  const { basePath } = call.config
  const chosen = preference(preferences, 'ui.theme')
  const theme = call.theme ?? (chosen === 'light' || chosen === 'dark' ? chosen : undefined)
  return html`<!doctype html>
<html lang="en"${theme ? raw(` data-theme="${theme}"`) : ''}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} – Cabinet</title>
<meta name="base" content="${basePath}"><meta name="htmx-config" content='${raw(HtmxConfig)}'>
<link rel="icon" href="${assetHref(basePath, 'favicon.svg')}"><link rel="stylesheet"
  href="${assetHref(basePath, 'cabinet.css')}">
<script src="${assetHref(basePath, 'htmx.js')}" defer></script><script src="${assetHref(basePath, 'picker.js')}"
  defer></script>
<script src="${assetHref(basePath, 'cabinet.js')}" defer></script><script src="${assetHref(basePath, 'answers.js')}"
  defer></script></head>`
}

const logo = html`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><rect x="4" y="2" width="16" height="20"
  rx="2"/><path d="M7 7h10M7 12h10M7 17h10"/></svg>`

function top(call: Visit): Html {
  const { basePath } = call.config
  const name = call.actor.username
  return html`<header class="top">
<button class="bars" type="button" aria-label="Menu" aria-controls="menu"
  aria-expanded="false">${icon(call, 'bars')}</button>
<a class="brand" href="${basePath}/" aria-label="Cabinet, home">${logo}<span>Cabinet</span></a>
<form class="search" role="search" action="${basePath}/search/"><label class="unseen" for="q">Search everything</label>
<input id="q" name="q" type="search" role="combobox" aria-expanded="false" aria-controls="hits" aria-autocomplete="list"
  placeholder="Search everything" autocomplete="off" value="${
    call.path === '/search/' ? (call.query.get('q') ?? '') : ''
  }"><kbd aria-hidden="true">/</kbd>
<ul id="hits" role="listbox" aria-label="Found" data-source="${basePath}/search/suggestions/" hidden></ul></form>
${momentPicker(call)}<button class="theme" type="button" aria-label="Light or dark">${icon(call, 'theme')}</button>
${
  name
    ? html`${bell(call)}<details class="user">
<summary aria-label="${name}">${icon(call, 'user')}<span>${name}</span></summary><ul>
<li><a href="${basePath}/user/profile/">Profile</a><li><a href="${basePath}/user/api-tokens/">API tokens</a>
<li><a href="${basePath}/user/preferences/">Preferences</a><li><a href="${basePath}/user/password/">Password</a>
<li><a href="${basePath}/user/bookmarks/">Bookmarks</a><li><a href="${basePath}/user/subscriptions/">Subscriptions</a>
<li><form method="post" action="${basePath}/logout/">${csrf(call)}<button>Log out</button></form></li></ul></details>`
    : html`<a class="button" href="${loginHref(call)}">Log in</a>`
}
</header>`
}

/** `2026-11-01T12:00:00.123456Z` as people read it. */
const readable = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)}`

/** Says that a page shows what was, and leads back to what is. */
function momentBanner(visit: Visit): Html | '' {
  const { at } = visit
  if (!at) return ''
  return html`<aside class="then" aria-label="Moment shown">${icon(visit, 'history')}<p>${
    at.time
      ? html`As it was on <time datetime="${at.time}"><b>${readable(at.time)}</b> UTC</time>`
      : 'An earlier moment'
  }</p><a class="button" data-now href="${hereAt(visit, null)}" hx-boost="false">Back to now</a></aside>`
}

/** Tells superusers, who can do something about it, that the disk is nearly full. */
function diskWarning({ actor, store: { disk } }: Visit): Html | '' {
  if (!actor.superuser || !disk.isScarce) return ''
  const room = `${Math.round((disk.free ?? 0) / 1_000_000).toLocaleString('en')} MB are free`
  return html`<p class="message bad" role="status">${
    disk.isFull
      ? `The disk is full but for its reserve: nothing is written. ${room}.`
      : `The disk is nearly full: ${room}.`
  }</p>`
}

const Ago = { '-1h': 'An hour ago', '-1d': 'A day ago', '-7d': 'A week ago', '-30d': 'A month ago' }

/** The way to other moments of a page. */
function momentPicker(visit: Visit): Html | '' {
  if (visit.actor.userId === null || !isKept(visit, `${visit.config.basePath}${visit.path}`)) return ''
  const { db } = visit.store
  const first = db.get<{ time: string }>('select time from history_step order by id limit 1')?.time ?? ''
  const seconds = (time: string) => time.slice(0, 19)
  return html`<details id="when" class="user when"><summary aria-label="Look back"
    title="Look back">${icon(visit, 'history')}</summary>
<ul><li><form method="get" action="${visit.config.basePath}${visit.path}" data-now>${[...visit.query].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
<label for="at">As it was at (UTC)</label><input id="at" type="datetime-local" name="at" step="1" required
  min="${seconds(first)}" value="${seconds(visit.at?.time ?? new Date().toISOString())}"><button>Show</button></form>
</li>${Object.entries(Ago)
    .filter(([at]) => shownTime(db, at) >= first)
    .map(
      ([at, label]) => html`<li><a data-now href="${hereAt(visit, at)}">${label}</a>`,
    )}${visit.at ? html`<li><a data-now href="${hereAt(visit, null)}">Now</a></li>` : ''}</ul></details>`
}

/** How many notifications are unread, and the way to them. */
function bell(call: Visit): Html {
  const unread = call.store.rows.count('extras.notification', { user_id: call.actor.userId!, read: null })
  return html`<a id="bell" class="bell" href="${call.config.basePath}/user/notifications/" aria-label="Notifications${
    unread ? `, ${unread} unread` : ''
  }">${icon(call, 'bell')}${unread ? html`<b aria-hidden="true">${unread > 99 ? '99+' : unread}</b>` : ''}</a>`
}

/** The hidden field with the CSRF token of a form. */
export const csrf = (call: Visit): Html => html`<input type="hidden" name="csrfmiddlewaretoken" value="${call.token}">`

function menu(call: Visit): Html {
  const here = hereIn(call)
  return html`<nav id="menu" class="menu" aria-label="Main">${menusOf(call).map(({ label, icon: drawing, groups }) => {
    const near = groups.find(({ entries }) => entries.some(({ href }) => here.startsWith(href)))
    return html`<details${near ? raw(' open') : ''}><summary>${icon(call, drawing)}${label}</summary>${groups.map(
      (group) =>
        html`<p>${group.label}</p><ul>${group.entries.map(
          (entry) =>
            html`<li><a href="${entry.href}"${entry.isWhole ? raw(' hx-boost="false"') : ''}${
              here.startsWith(entry.href) ? raw(' aria-current="page"') : ''
            }>${entry.label}</a>${
              group === near && entry.add
                ? html`<a class=plus href="${entry.add}" aria-label="Add to ${entry.label}">+</a>`
                : ''
            }`,
        )}</ul>`,
    )}</details>`
  })}</nav>`
}

/** A redirect that shows a message on the page it leads to, with a link to a page of this server where one is given. */
export function leadTo(
  call: Visit,
  href: string,
  message = '',
  tone: 'good' | 'bad' = 'good',
  link: readonly [href: string, label: string] | undefined = undefined,
): Answer {
  const kept = message && encodeURIComponent(JSON.stringify([tone, message.slice(0, 500), ...(link ?? [])]))
  return {
    status: 303,
    body: null,
    headers: { location: href, ...(kept ? { 'set-cookie': messageCookie(call, kept, 60) } : {}) },
  }
}

/** The cookie that takes the message of the page before back, once it is shown. */
export const messageOver = (call: Call): string => messageCookie(call, '', 0)

/** It names objects, so it goes only where the cookie of the session goes. */
const messageCookie = (call: Call, value: string, seconds: number): string =>
  `message=${value}; Path=${call.config.basePath || '/'}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${
    isSecure(call) ? '; Secure' : ''
  }`
