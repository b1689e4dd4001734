import { html } from 'hono/html'
import { conditionOf } from '../http/lists.ts'
import type { Answer } from '../http/request.ts'
import { may } from '../engine/actor.ts'
import { allModels, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Hit, hitOf, hitsSql, type Match, matchOf } from '../engine/search.ts'
import {
  anyCustomSql,
  customHitOf,
  customHitsSql,
  type SearchedField,
  searchedFieldsSql,
} from '../engine/search-custom.ts'
import { demandIndex } from '../store/search-later.ts'
import { recentObjects } from '../services/recent-objects.ts'
import { formatAddress, parseAddress } from '../lib/ip.ts'
import { cell, type Html } from './cells.ts'
import { customLabel } from './custom-controls.ts'
import { page } from './frame.ts'
import { hasPage, listHref, objectHref } from './links.ts'
import type { Visit } from './visit.ts'
import { labelAt, pluralOf, titleOf } from './words.ts'
import { mayMake } from './may-make.ts'

/** Hits read at a time, and how many are looked at before the search gives up on what the user may not view. */
const Step = 100
const MaxLooked = 3000

/** A hit that the user may view, as it is shown. */
interface Found extends Hit {
  display: string
  href: string
  /** What tells it from others of its name. */
  beside: string
}

/**
 * The objects that a text finds, best first: those that are it, those that begin with it, those that have it somewhere.
 */
function found(visit: Visit, given: string, limit: number, only?: AnyModel): Found[] {
  const hits: Hit[] = []
  const seen = new Set<string>()
  const recent = recentObjects(visit.store.db, visit.actor.userId)
  for (const text of spellings(given))
    for (const match of ['whole', 'beginning', 'part'] as const) {
      if (hits.length >= limit) break
      if (match === 'part' && text.length < 3) continue // an index of three letters
      collect(visit, text, match, { limit, only, recent }, seen, hits)
    }
  return described(visit, hits.slice(0, limit))
}

/** What is looked for: how many hits, of which kind, and what comes first among equals. */
interface Sought {
  limit: number
  only: AnyModel | undefined
  recent: ReadonlyMap<string, number>
}

const keyOf = ({ model, id }: Hit): string => `${model.name}:${id}`

/** Adds the hits of a text: those that count more first, of these what the user changed last. */
function collect(visit: Visit, text: string, match: Match, sought: Sought, seen: Set<string>, hits: Hit[]): void {
  const { db } = visit.store
  demandIndex(db)
  const matched = matchOf(text, match)
  const found = pages(visit, sought, seen, (offset) => {
    const rows = db.all<Parameters<typeof hitOf>[0]>(hitsSql, { ...matched, limit: Step, offset })
    return rows.map(hitOf)
  })
  if (db.get(anyCustomSql, matched) !== undefined)
    for (const field of db.all<SearchedField>(searchedFieldsSql))
      found.push(
        ...pages(visit, sought, seen, (offset) => {
          const page = { ...matched, field: field.id, limit: Step, offset }
          return db.all<Parameters<typeof customHitOf>[0]>(customHitsSql, page).map((row) => customHitOf(row, field))
        }),
      )
  const place = (hit: Hit) => sought.recent.get(keyOf(hit)) ?? sought.recent.size
  for (const hit of found.sort((a, b) => a.weight - b.weight || place(a) - place(b))) {
    if (seen.has(keyOf(hit))) continue
    seen.add(keyOf(hit))
    hits.push(hit)
  }
}

/** Hits of one source that the user may view and that are not known yet, enough of them. */
function pages(
  visit: Visit,
  { limit, only }: Sought,
  seen: ReadonlySet<string>,
  read: (offset: number) => (Hit | undefined)[],
): Hit[] {
  const found: Hit[] = []
  for (let offset = 0; offset < MaxLooked && found.length < limit; offset += Step) {
    const rows = read(offset)
    const fresh = rows.filter((hit) => hit !== undefined)
    found.push(
      ...visible(
        visit,
        fresh.filter((hit) => !seen.has(keyOf(hit)) && (!only || hit.model === only)),
      ),
    )
    if (rows.length < Step) break
  }
  return found
}

/** Those of some hits whose objects the user may view, asked once for each model. */
function visible(visit: Visit, hits: readonly Hit[]): Hit[] {
  if (visit.actor.superuser) return [...hits]
  const shown = new Set<Hit>()
  for (const [m, own] of Map.groupBy(hits, (hit) => hit.model)) {
    if (!may(visit.actor, 'view', m)) continue
    const query = new URLSearchParams(own.map((hit): [string, string] => ['id', String(hit.id)]))
    const ids = new Set(visit.store.reader.page(m, conditionOf(visit, m, query), undefined, own.length, 0).ids)
    for (const hit of own) if (ids.has(hit.id)) shown.add(hit)
  }
  return hits.filter((hit) => shown.has(hit))
}

const Beside = ['device', 'virtual_machine', 'site', 'rack', 'vrf', 'group', 'manufacturer', 'provider', 'description']

function described(visit: Visit, hits: readonly Hit[]): Found[] {
  const rows = new Map<Hit, Record<string, unknown>>()
  for (const [m, own] of Map.groupBy(hits, (hit) => hit.model)) {
    const members = ['id', 'display', ...Beside.filter((name) => name in m.fields)]
    const made = visit.store.reader.rows(
      m,
      own.map((hit) => hit.id),
      { members },
      visit.config.basePath,
    )
    const byId = new Map(made.map((bytes) => JSON.parse(bytes.toString())).map((row) => [row.id, row]))
    for (const hit of own) rows.set(hit, byId.get(hit.id))
  }
  return hits.flatMap((hit) => {
    const row = rows.get(hit)
    if (!row) return []
    const beside = Beside.flatMap((name) => {
      const value = row[name]
      const text = typeof value === 'object' && value !== null ? (value as { display?: string }).display : value
      return text ? [String(text)] : []
    })
    const isPaged = hasPage(hit.model)
    const href = isPaged ? objectHref(visit, hit.model, hit.id) : listHref(visit, hit.model)
    return [{ ...hit, display: String(row.display), href, beside: beside.slice(0, 3).join(' · ') }]
  })
}

/** A text and the other ways in which the inventory may spell it: hardware addresses in pairs. */
function spellings(given: string): string[] {
  const text = given.trim().slice(0, 200)
  const digits = text.replace(/[\s.:-]/g, '')
  const isHardware = /^[0-9a-f]{4,16}$/i.test(digits) && (/[.:-]/.test(text) || digits.length === 12)
  const pairs = isHardware
    ? digits
        .toUpperCase()
        .match(/.{1,2}/g)!
        .join(':')
    : text
  return [...new Set([text, pairs])].filter(Boolean)
}

/** What holds an address: prefixes, ranges and aggregates, the smallest prefix first. */
interface Holders {
  address: string
  rows: { label: string; href: string; kind: string }[]
}
function holdersOf(visit: Visit, given: string): Holders | undefined {
  const address = /[.:]/.test(given) ? parseAddress(given.trim()) : undefined
  if (!address) return undefined
  const rows = ['ipam.prefix', 'ipam.iprange', 'ipam.aggregate'].map(modelNamed).flatMap((m) => {
    if (!may(visit.actor, 'view', m)) return []
    const query = new URLSearchParams([['contains', formatAddress(address)]])
    const { ids } = visit.store.reader.page(m, conditionOf(visit, m, query), undefined, 50, 0)
    return ids.toReversed().map((id) => ({
      label: visit.store.reader.display(m, id),
      href: objectHref(visit, m, id),
      kind: titleOf(m),
    }))
  })
  return { address: formatAddress(address), rows }
}

/** What a text asks for as a command: adding an object, or a free address of a prefix. */
function commandsIn(visit: Visit, text: string): { label: string; href: string }[] {
  const [, what] = /^(?:add|new)\s+(.*)$/i.exec(text.trim()) ?? []
  if (what !== undefined)
    return allModels
      .filter((m) => !m.internal && hasPage(m) && m.label.toLowerCase().startsWith(what.toLowerCase()))
      .filter((m) => mayMake(visit, m))
      .sort((a, b) => a.label.length - b.label.length) // `Add site` comes before `Add site group`
      .slice(0, 8)
      .map((m) => ({ label: `Add ${m.label}`, href: `${listHref(visit, m)}add/` }))
  const [, prefix] = /^free\s+(?:address(?:es)?|ips?)?\s*(?:in|of)?\s*(\S+)$/i.exec(text.trim()) ?? []
  const m = modelNamed('ipam.prefix')
  if (!prefix || !parseAddress(prefix) || !may(visit.actor, 'view', m)) return []
  const { ids } = visit.store.reader.page(
    m,
    conditionOf(visit, m, new URLSearchParams([['prefix', prefix]])),
    undefined,
    5,
    0,
  )
  return ids.map((id) => ({
    label: `Free addresses in ${visit.store.reader.display(m, id)}`,
    href: objectHref(visit, m, id, 'ipaddresses'),
  }))
}

/** `/search/?q=`: everything that a text finds, by kind. */
export function searchPage(visit: Visit): Answer {
  const text = visit.query.get('q') ?? ''
  const kind = visit.query.get('type')
  const only = kind ? allModels.find((m) => m.name === kind) : undefined
  const hits = text.trim() ? found(visit, text, only ? 200 : 100, only) : []
  const holders = holdersOf(visit, text)
  const kinds = Map.groupBy(hits, (hit) => hit.model)
  return page(visit, {
    title: text ? `Search: ${text}` : 'Search',
    note: html`${hits.length}`,
    body: html`${commandsHtml(commandsIn(visit, text))}${holders ? holdersHtml(visit, holders) : ''}${[...kinds].map(
      ([m, own]) => html`<section class="panel"><h2><a
  href="${listHref(visit, m)}?q=${encodeURIComponent(text)}">${pluralOf(m)}</a> <small>${own.length}</small></h2>
<table class="hits"><thead class="unseen"><tr><th scope="col">Name</th><th scope="col">Where</th>
<th scope="col">Found by</th></tr></thead><tbody>${own.map(
        (hit) =>
          html`<tr><th scope="row" class="lead"><a href="${hit.href}">${hit.display}</a></th>
<td>${hit.beside || cell(visit, null)}</td><td>${fieldLabel(visit, hit)}</td></tr>`,
      )}</tbody></table></section>`,
    )}${
      hits.length || holders?.rows.length
        ? ''
        : html`<p class="empty">${
            text.trim()
              ? 'Nothing was found.'
              : 'Type a name, an address, a serial number, a MAC address, an asset tag …'
          }</p>`
    }`,
  })
}

/** What the member is called by which an object was found. */
function fieldLabel(visit: Visit, { model, field }: Hit): string {
  const custom = visit.store.customFields.of(model).find(({ name }) => field === `cf_${name}`)
  return custom ? customLabel(custom) : labelAt(model, field)
}

const commandsHtml = (commands: readonly { label: string; href: string }[]): Html | '' =>
  commands.length
    ? html`<section class="panel"><h2>Commands</h2><ul class="counts">${commands.map(
        ({ label, href }) => html`<li><a href="${href}">${label}</a></li>`,
      )}</ul></section>`
    : ''

function holdersHtml(visit: Visit, { address, rows }: Holders): Html {
  const m = modelNamed('ipam.ipaddress')
  const isAdded = visit.actor.writes && may(visit.actor, 'add', m)
  return html`<section class="panel"><h2>Where ${address} is</h2>${
    rows.length
      ? html`<ul class="counts">${rows.map(
          ({ label, href, kind }) => html`<li><a href="${href}">${label}</a> <small>${kind}</small></li>`,
        )}</ul>`
      : html`<p class="empty">In no prefix, range or aggregate.</p>`
  }${
    isAdded
      ? html`<p><a href="${listHref(visit, m)}add/?address=${encodeURIComponent(address)}">Add this address</a></p>`
      : ''
  }</section>`
}

/** `/search/suggestions/?q=`: the first hits of a text as options below the search box. */
export function suggestions(visit: Visit): Answer {
  const text = visit.query.get('q') ?? ''
  const hits = text.trim() ? found(visit, text, 8) : []
  const holders = holdersOf(visit, text)?.rows.slice(0, 3) ?? []
  const entries = [
    ...commandsIn(visit, text)
      .slice(0, 4)
      .map(({ label, href }) => ({ label, href, kind: 'Command', beside: '' })),
    ...hits.map((hit) => ({ label: hit.display, href: hit.href, kind: titleOf(hit.model), beside: hit.beside })),
    ...holders.map(({ label, href, kind }) => ({ label, href, kind, beside: `holds ${text}` })),
  ]
  const body = html`${entries.map(
    ({ label, href, kind, beside }, i) =>
      html`<li role="presentation"><a role="option" id="hit-${i}" aria-selected="false" href="${href}"
        tabindex="-1"><b>${label}</b> <small>${kind}${beside ? ` · ${beside}` : ''}</small></a></li>`,
  )}${
    entries.length === 0 && text.trim()
      ? html`<li class="empty" role="option" aria-disabled="true" aria-selected="false">Nothing yet</li>`
      : ''
  }`
  return {
    status: 200,
    body: String(body),
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  }
}
