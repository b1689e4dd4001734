import type { Answer, Call } from '../api/request.ts'
import { filtersOf } from '../registry/filters.ts'
import { modelAt } from '../api/router.ts'
import { may } from '../registry/actor.ts'
import { escape, page } from './layout.ts'

/** JSON with its links made clickable. */
const linked = (json: string): string =>
  escape(JSON.stringify(JSON.parse(json), null, 2)).replace(/&quot;(https?:\/\/[^&\s]+(?:&amp;[^&\s]+)*)&quot;/g, (_, link: string) => `&quot;<a href="${link}">${link}</a>&quot;`)

const crumbs = (call: Call): string =>
  call.path.split('/').filter(Boolean).map((part, i, all) => `<a href="${escape(`${call.config.basePath}/${all.slice(0, i + 1).join('/')}/`)}">${escape(part)}</a>`).join(' / ')

function filterForm(call: Call): string {
  const m = modelAt(call.path.split('/').slice(2, 4).join('/'))
  if (!m || call.path.split('/').length > 5) return ''
  const fields = [...filtersOf(m)].map(([name]) => `<label>${escape(name)} <input name="${escape(name)}" value="${escape(call.query.get(name) ?? '')}"></label>`)
  return `<details${call.query.size ? ' open' : ''}><summary>Filters</summary><form method="get" onsubmit="for (const i of this.querySelectorAll('input')) if (!i.value) i.disabled = true">${fields.join('')}<button>Filter</button></form></details>`
}

function writeForm(call: Call, isDetail: boolean, shown: string): string {
  const m = modelAt(call.path.split('/').slice(2, 4).join('/'))
  const methods = (isDetail ? ['PATCH', 'PUT', 'DELETE'] : ['POST']).filter((method) => m && (m.methods ?? [method]).includes(method as never) && may(call.actor, { POST: 'add', DELETE: 'delete' }[method] ?? 'change', m))
  if (methods.length === 0) return ''
  return `<details><summary>Change</summary><form id="write"><label>Method <select name="method">${methods.map((x) => `<option>${x}</option>`).join('')}</select></label>
<label>JSON <textarea name="body" rows="12">${isDetail ? escape(shown) : '{}'}</textarea></label><button>Send</button></form><pre id="answer" hidden></pre></details>
<script>document.getElementById('write').onsubmit = async (e) => { e.preventDefault(); const f = e.target
const token = (document.cookie.match(/csrftoken=([^;]+)/) || [])[1]
const r = await fetch(location.pathname, { method: f.method.value, headers: { 'content-type': 'application/json', accept: 'application/json', 'x-csrftoken': token }, body: f.method.value === 'DELETE' ? undefined : f.body.value })
const out = document.getElementById('answer'); out.hidden = false; out.textContent = r.status + ' ' + r.statusText + '\\n' + await r.text() }</script>`
}

/** The answer to a read as a page: the JSON with links, paging, filters, and a form to change it. */
export function browse(call: Call, answer: Answer): Answer {
  const json = answer.body?.toString() ?? 'null'
  const content = JSON.parse(json) as { next?: string | null; previous?: string | null; count?: number | null; detail?: string }
  const isList = typeof content === 'object' && content !== null && 'next' in content && 'results' in content
  const paging = isList ? `<p>${content.count ?? ''} objects ${content.previous ? `<a href="${escape(content.previous)}">previous</a>` : ''} ${content.next ? `<a href="${escape(content.next)}">next</a>` : ''}</p>` : ''
  const isDetail = /\/\d+\/$/.test(call.path)
  const who = call.actor.username ? `${escape(call.actor.username)} <a href="${call.config.basePath}/logout/">log out</a>` : `<a href="${call.config.basePath}/login/?next=${encodeURIComponent(call.path)}">log in</a>`
  const body = `<nav><strong>Cabinet</strong> <span>${crumbs(call)}</span> <span><a href="${call.config.basePath}/api/schema/swagger-ui/">schema</a></span> <span>${who}</span></nav>
<p>${escape(call.method)} ${escape(call.path)} → ${answer.status}</p>${isList ? filterForm(call) : ''}${answer.status < 300 ? writeForm(call, isDetail, JSON.stringify(content, null, 2)) : ''}${paging}<pre>${linked(json)}</pre>${paging}`
  return { ...answer, body: page(call.path, body), headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8' } }
}
