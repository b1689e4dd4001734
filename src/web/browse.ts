import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { html, raw } from 'hono/html'
import { parse } from 'hono/utils/cookie'
import { loginHref } from '../http/admission.ts'
import { modelAt } from '../http/places.ts'
import type { Answer, Call } from '../http/request.ts'
import { PagePolicy } from '../http/send.ts'
import { may } from '../engine/actor.ts'
import { fieldsOf } from '../engine/catalog.ts'
import { filtersOf } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import { assetHref } from './assets.ts'
import { type Html, page } from './layout.ts'
import { textOfJson } from '../lib/json.ts'

/** JSON with its links made clickable. */
const linked = (content: unknown): Html[] =>
  stringifyExact(content, 2)
    .split(/"(https?:\/\/[^"\s]+)"/)
    .map((part, i) => (i % 2 ? html`"<a href="${part}">${part}</a>"` : html`${part}`))

const crumbs = (call: Call): Html[] =>
  call.path
    .split('/')
    .filter(Boolean)
    .map((part, i, all) => {
      const to = `${call.config.basePath}/${all.slice(0, i + 1).join('/')}/`
      return html`${i ? ' / ' : ''}<a href="${to}">${part}</a>`
    })

const modelOf = (call: Call): AnyModel | undefined => modelAt(call.path.split('/').slice(2, 4).join('/'))

function filterForm(call: Call): Html | string {
  const m = modelOf(call)
  if (!m || call.path.split('/').length > 5) return ''
  const fields = [...filtersOf(m).keys()].map(
    (name) => html`<label>${name} <input name="${name}" value="${call.query.get(name) ?? ''}"></label>`,
  )
  const isUsed = [...call.query.keys()].some((key) => filtersOf(m).has(key.split('__')[0]!))
  return html`<details${raw(isUsed ? ' open' : '')}><summary>Filters</summary>
<form class="filters" method="get">${fields}<button>Filter</button></form></details>`
}

/** A member as a cell of a table: what it is known by, with a link where it has one. */
function cell(value: unknown): Html | Html[] | string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((each, i) => html`${i ? ', ' : ''}${cell(each)}`)
  if (typeof value !== 'object') return String(value)
  const { display, label, url } = value as { display?: unknown; label?: unknown; url?: string }
  const text = textOfJson(display ?? label ?? value)
  return url ? html`<a href="${url}">${text}</a>` : text
}

/** Members that tell one row from another at a glance: choices, what is referred to, and the brief ones. */
function columns(m: AnyModel, row: Record<string, unknown>): string[] {
  const telling = fieldsOf(m)
    .filter(([name, field]) => name !== 'owner' && (field.target || field.control?.(name).as === 'choice'))
    .map(([name]) => name)
  const brief = m.brief.filter((name) => !['id', 'url', 'display', 'name', 'description'].includes(name))
  return [...new Set([...telling.slice(0, 6), ...brief, 'description'])].filter((name) => name in row).slice(0, 8)
}

/** The rows of a page as a table. */
function table(call: Call, rows: readonly Record<string, unknown>[]): Html | string {
  const m = modelOf(call)
  if (!m || rows.length === 0 || !rows[0]!.url) return ''
  const names = columns(m, rows[0]!)
  const line = (row: Record<string, unknown>) =>
    html`<tr><td>${cell({ display: row.display, url: row.url })}</td>${names.map(
      (name) => html`<td>${cell(row[name])}</td>`,
    )}</tr>`
  const heads = [m.label, ...names].map((name) => html`<th>${name.replaceAll('_', ' ').trim()}</th>`)
  return html`<table><thead><tr>${heads}</tr></thead><tbody>${rows.map(line)}</tbody></table>`
}

/** What the actions of an object's model draw of it. */
function drawings(call: Call, shown: Record<string, unknown>): Html | string {
  const drawn = Object.entries(modelOf(call)?.behaviour.actions ?? {}).flatMap(([name, action]) =>
    (action.get?.drawings?.(shown) ?? []).map((query) => `${call.config.basePath}${call.path}${name}/?${query}`),
  )
  if (drawn.length === 0) return ''
  return html`<figure>${drawn.map(
    (address) => html`<object type="image/svg+xml" data="${address}"></object>`,
  )}</figure>`
}

function writeForm(call: Call, isDetail: boolean, shown: string): Html | string {
  const m = modelOf(call)
  const methods = (isDetail ? ['PATCH', 'PUT', 'DELETE'] : ['POST']).filter(
    (method) =>
      m &&
      (m.methods ?? [method]).includes(method as never) &&
      may(call.actor, { POST: 'add', DELETE: 'delete' }[method] ?? 'change', m),
  )
  if (methods.length === 0) return ''
  return html`<details><summary>Change</summary><form id="write"><label>Method <select name="method">${methods.map(
    (x) => html`<option>${x}</option>`,
  )}</select></label>
<label>JSON <textarea name="body" rows="12">${isDetail ? shown : '{}'}</textarea></label><button>Send</button></form>
<pre id="answer" hidden></pre></details>`
}

/** Who reads the page, and how to leave or to log in. */
function reader(call: Call): Html {
  const { basePath } = call.config
  if (!call.actor.username) return html`<a href="${loginHref(call)}">log in</a>`
  const token = parse(call.request.headers.get('cookie') ?? '', 'csrftoken').csrftoken ?? ''
  return html`${call.actor.username} <form class="inline" method="post" action="${basePath}/logout/"><input
    type="hidden" name="csrfmiddlewaretoken" value="${token}"><button>log out</button></form>`
}

/** The answer to a read as a page: the JSON with links, paging, filters, and a form to change it. */
export function browse(call: Call, answer: Answer): Answer {
  const { basePath } = call.config
  const content = parseExact(answer.body?.toString() ?? 'null') as {
    next?: string | null
    previous?: string | null
    count?: number | null
    results?: Record<string, unknown>[]
    detail?: string
  }
  const isList = typeof content === 'object' && content !== null && 'next' in content && 'results' in content
  const isDetail = /\/\d+\/$/.test(call.path)
  const isFine = answer.status < 300
  const to = (address: string | null | undefined, text: string) =>
    address ? html`<a href="${address}">${text}</a>` : ''
  const paging = isList
    ? html`<p>${content.count ?? ''} objects ${to(content.previous, 'previous')} ${to(content.next, 'next')}</p>`
    : ''
  const shown = isList
    ? table(call, content.results ?? [])
    : isDetail && isFine
      ? drawings(call, content as Record<string, unknown>)
      : ''
  const body = html`<nav><a href="${basePath}/"><strong>Cabinet</strong></a> <span>${crumbs(call)}</span>
<span><a href="${basePath}/api/schema/swagger-ui/">schema</a></span> <span>${reader(call)}</span></nav>
<p>${call.method} ${call.path} → ${answer.status}</p>${isList ? filterForm(call) : ''}${
    isFine ? writeForm(call, isDetail, stringifyExact(content, 2)) : ''
  }${paging}${shown}<pre>${linked(content)}</pre>${paging}`
  return {
    ...answer,
    body: String(page(basePath, call.path, body, [assetHref(basePath, 'browse.js')])),
    headers: {
      ...answer.headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PagePolicy,
    },
  }
}
