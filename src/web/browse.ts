import type { Answer, Call } from '../api/request.ts'
import { fieldsOf } from '../registry/catalog.ts'
import { filtersOf } from '../registry/filters.ts'
import type { AnyModel } from '../registry/model.ts'
import { modelAt } from '../api/router.ts'
import { may } from '../registry/actor.ts'
import { escaped, page } from './layout.ts'

/** JSON with its links made clickable. */
const linked = (json: string): string =>
  escaped(JSON.stringify(JSON.parse(json), null, 2)).replace(
    /&quot;(https?:\/\/[^&\s]+(?:&amp;[^&\s]+)*)&quot;/g,
    (_, link: string) => `&quot;<a href="${link}">${link}</a>&quot;`,
  )

const crumbs = (call: Call): string =>
  call.path
    .split('/')
    .filter(Boolean)
    .map(
      (part, i, all) =>
        `<a href="${escaped(`${call.config.basePath}/${all.slice(0, i + 1).join('/')}/`)}">${escaped(part)}</a>`,
    )
    .join(' / ')

function filterForm(call: Call): string {
  const m = modelAt(call.path.split('/').slice(2, 4).join('/'))
  if (!m || call.path.split('/').length > 5) return ''
  const names = [...filtersOf(m).keys()]
  const fields = names.map(
    (name) =>
      `<label>${escaped(name)} <input name="${escaped(name)}" value="${escaped(call.query.get(name) ?? '')}"></label>`,
  )
  const isUsed = [...call.query.keys()].some((key) => filtersOf(m).has(key.split('__')[0]!))
  return `<details${isUsed ? ' open' : ''}><summary>Filters</summary><form class="filters" method="get" onsubmit="for (const i of this.querySelectorAll('input')) if (!i.value) i.disabled = true">${fields.join('')}<button>Filter</button></form></details>`
}

/** A member as a cell of a table: what it is known by, with a link where it has one. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(cell).join(', ')
  if (typeof value !== 'object') return escaped(String(value))
  const { display, label, url } = value as { display?: unknown; label?: unknown; url?: string }
  const text = escaped(String(display ?? label ?? JSON.stringify(value)))
  return url ? `<a href="${escaped(url)}">${text}</a>` : text
}

/** Members that tell one row from another at a glance: choices, what is referred to, and the brief ones. */
function columns(m: AnyModel, row: Record<string, unknown>): string[] {
  const telling = fieldsOf(m)
    .filter(([name, field]) => name !== 'owner' && (field.target || field.kind === 'choice'))
    .map(([name]) => name)
  const brief = m.brief.filter((name) => !['id', 'url', 'display', 'name', 'description'].includes(name))
  return [...new Set([...telling.slice(0, 6), ...brief, 'description'])].filter((name) => name in row).slice(0, 8)
}

/** The rows of a page as a table. */
function table(call: Call, rows: readonly Record<string, unknown>[]): string {
  const m = modelAt(call.path.split('/').slice(2, 4).join('/'))
  if (!m || rows.length === 0 || !rows[0]!.url) return ''
  const names = columns(m, rows[0]!)
  const line = (row: Record<string, unknown>) =>
    `<tr><td>${cell({ display: row.display, url: row.url })}</td>${names.map((name) => `<td>${cell(row[name])}</td>`).join('')}</tr>`
  return `<table><thead><tr>${[m.label, ...names].map((name) => `<th>${escaped(name.replaceAll('_', ' ').trim())}</th>`).join('')}</tr></thead><tbody>${rows.map(line).join('')}</tbody></table>`
}

/** What the actions of an object's model draw of it. */
function drawings(call: Call, shown: Record<string, unknown>): string {
  const m = modelAt(call.path.split('/').slice(2, 4).join('/'))
  const drawn = Object.entries(m?.behaviour.actions ?? {}).flatMap(([name, action]) =>
    (action.get?.drawings?.(shown) ?? []).map((query) => `${call.config.basePath}${call.path}${name}/?${query}`),
  )
  return drawn.length
    ? `<figure>${drawn.map((address) => `<object type="image/svg+xml" data="${escaped(address)}"></object>`).join('')}</figure>`
    : ''
}

function writeForm(call: Call, isDetail: boolean, shown: string): string {
  const m = modelAt(call.path.split('/').slice(2, 4).join('/'))
  const methods = (isDetail ? ['PATCH', 'PUT', 'DELETE'] : ['POST']).filter(
    (method) =>
      m &&
      (m.methods ?? [method]).includes(method as never) &&
      may(call.actor, { POST: 'add', DELETE: 'delete' }[method] ?? 'change', m),
  )
  if (methods.length === 0) return ''
  return `<details><summary>Change</summary><form id="write"><label>Method <select name="method">${methods.map((x) => `<option>${x}</option>`).join('')}</select></label>
<label>JSON <textarea name="body" rows="12">${isDetail ? escaped(shown) : '{}'}</textarea></label><button>Send</button></form><pre id="answer" hidden></pre></details>
<script>document.getElementById('write').onsubmit = async (e) => { e.preventDefault(); const f = e.target
const token = (document.cookie.match(/csrftoken=([^;]+)/) || [])[1]
const r = await fetch(location.pathname, { method: f.method.value, headers: { 'content-type': 'application/json', accept: 'application/json', 'x-csrftoken': token }, body: f.method.value === 'DELETE' ? undefined : f.body.value })
const out = document.getElementById('answer'); out.hidden = false; out.textContent = r.status + ' ' + r.statusText + '\\n' + await r.text() }</script>`
}

/** The answer to a read as a page: the JSON with links, paging, filters, and a form to change it. */
export function browse(call: Call, answer: Answer): Answer {
  const json = answer.body?.toString() ?? 'null'
  const content = JSON.parse(json) as {
    next?: string | null
    previous?: string | null
    count?: number | null
    results?: Record<string, unknown>[]
    detail?: string
  }
  const isList = typeof content === 'object' && content !== null && 'next' in content && 'results' in content
  const paging = isList
    ? `<p>${content.count ?? ''} objects ${content.previous ? `<a href="${escaped(content.previous)}">previous</a>` : ''} ${content.next ? `<a href="${escaped(content.next)}">next</a>` : ''}</p>`
    : ''
  const isDetail = /\/\d+\/$/.test(call.path)
  const who = call.actor.username
    ? `${escaped(call.actor.username)} <a href="${call.config.basePath}/logout/">log out</a>`
    : `<a href="${call.config.basePath}/login/?next=${encodeURIComponent(call.path)}">log in</a>`
  const body = `<nav><strong>Cabinet</strong> <span>${crumbs(call)}</span> <span><a href="${call.config.basePath}/api/schema/swagger-ui/">schema</a></span> <span>${who}</span></nav>
<p>${escaped(call.method)} ${escaped(call.path)} → ${answer.status}</p>${isList ? filterForm(call) : ''}${answer.status < 300 ? writeForm(call, isDetail, JSON.stringify(content, null, 2)) : ''}${paging}${isList ? table(call, content.results ?? []) : isDetail && answer.status < 300 ? drawings(call, content as Record<string, unknown>) : ''}<pre>${linked(json)}</pre>${paging}`
  return {
    ...answer,
    body: page(call.path, body),
    headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8' },
  }
}
