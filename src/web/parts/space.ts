import { demandRefusal } from '../refusal.ts'
import { html, raw } from 'hono/html'
import { ApiError, type Call } from '../../http/request.ts'
import { conditionOf } from '../../http/lists.ts'
import { createFrom, demand, writingFor } from '../../http/resource.ts'
import { freeBlocks, nextFree, type Space, spaceOf, type Span } from '../../rules/free-space.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Html } from '../cells.ts'
import { Paging } from '../filter-panel.ts'
import { errorsOf, messageOf } from '../form-errors.ts'
import type { FormData } from '../form-data.ts'
import { csrf, leadTo } from '../frame.ts'
import { listHref, objectHref, withQuery } from '../links.ts'
import { chosen, paged, pager, sizeOf } from '../list.ts'
import { mayAdd } from '../part-form.ts'
import { preferencesOf } from '../preferences.ts'
import { countOf } from '../related.ts'
import { rowLinks } from '../row-links.ts'
import { columnsBy, type Row, rowsOf, table } from '../table.ts'
import type { Visit } from '../visit.ts'
import { pluralOf, titleOf } from '../words.ts'
import type { SpecialTab } from './part.ts'

/** So many free blocks a page shows at most, so many steps are read for them, and so many objects are taken at once. */
const [MaxFree, MaxSteps, MaxTaken] = [1000, 4, 256]
const Shows = ['both', 'assigned', 'available'] as const
/** Parameters of these pages that are no filters. */
const Own = ['show', 'near', 'from']

const spaceFor = (call: Call, m: AnyModel, id: number, target: string): Space =>
  spaceOf(writingFor(call).tools, m.name, id, target)

/** A query of these pages with some parameters changed, without the others that are theirs alone. */
const turned = (visit: Visit, changes: Readonly<Record<string, string | null>>): string =>
  withQuery(visit, { near: null, from: null, page: null, ...changes })

/**
 * A tab of the objects that lie in another's space of numbers, with what is free between them. `atOnce`: taken without
 * a form.
 */
export function spaceTab(label: string, target: string, atOnce: boolean): SpecialTab {
  const model = () => modelNamed(target)
  return {
    label,
    model: target,
    count: (visit, m, row) => countOf(visit, model(), asked(spaceFor(visit, m, row.id, target).query)),
    body: (visit, m, row) => shown(visit, m, row, spaceFor(visit, m, row.id, target), atOnce),
    post: async (visit, m, row, data) => {
      demand(visit, 'add', model())
      try {
        const ids = await taken(visit, m, row.id, target, data)
        const names = ids.slice(0, 3).map((id) => visit.store.reader.display(model(), id))
        const more = ids.length > names.length ? ` and ${ids.length - names.length} more` : ''
        const said = `${names.join(', ')}${more} ${ids.length === 1 ? 'was' : 'were'} taken.`
        return leadTo(visit, turned(visit, {}), said)
      } catch (error) {
        demandRefusal(error)
        const space = spaceFor(visit, m, row.id, target)
        const body = error.status === 409 ? { detail: tooMuch(space, data) } : error.body
        return { again: shown(visit, m, row, space, atOnce, { data, body }), status: error.status }
      }
    },
  }
}

const asked = (query: Space['query']): URLSearchParams =>
  new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))

/** Takes what a form asks for: the next free ones, or those from a place on. */
function taken(visit: Visit, m: AnyModel, id: number, target: string, data: FormData): Promise<number[]> {
  const number = (name: string, least: number, most: number): number => {
    const text = data.all(name)[0] || '1'
    if (/^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new ApiError(400, { [name]: [`Enter a whole number from ${least} to ${most}.`] })
  }
  const count = number('count', 1, MaxTaken)
  return createFrom(visit, modelNamed(target), (tools) => {
    const space = spaceOf(tools, m.name, id, target)
    const length = space.width === undefined ? undefined : number('length', space.mask!, space.width)
    const at = data.all('at')[0]
    const from = at ? space.read(at) : space.first
    if (from === undefined) throw new ApiError(400, { at: ['This lies elsewhere.'] })
    const part = { first: from, last: space.last }
    return nextFree(space, count, part, length).map((n) => ({ ...space.presets, ...space.body(n, length) }))
  })
}

/** Why not so much could be taken: how much there is from the place on that was asked for. */
function tooMuch(space: Space, data: FormData): string {
  const at = data.all('at')[0]
  const where = at ? ` from ${at} on` : ''
  const length = space.width === undefined ? undefined : Number(data.all('length')[0])
  const size = length === undefined ? 1n : 1n << BigInt(space.width! - length)
  let fit = 0n
  let largest = Number.POSITIVE_INFINITY
  for (const block of freeBlocks(space, { first: (at && space.read(at)) || space.first, last: space.last })) {
    fit += (block.last - block.first + 1n) / size
    if (length !== undefined) largest = Math.min(largest, lengthOf(space, block))
  }
  const what = length === undefined ? '' : ` of /${length}`
  if (fit) return `Only ${many(fit)}${what} ${fit === 1n ? 'is' : 'are'} free${where}.`
  if (!Number.isFinite(largest)) return `Nothing is free${where}.`
  return `No /${length} is free${where}: the largest free block is a /${largest}.`
}

/** The length of a free network. */
const lengthOf = (space: Space, block: Span): number => Number(space.name(block).split('/')[1])

interface Failed {
  data: FormData
  body: unknown
}

/** How a page writes a free block as a row of so many columns. */
type Free = (block: Span, width: number) => Html

function shown(visit: Visit, m: AnyModel, row: Row, space: Space, atOnce: boolean, failed?: Failed): Html {
  const target = modelNamed(space.model)
  const canAdd = mayAdd(visit, target)
  const show = Shows.find((each) => each === visit.query.get('show')) ?? 'both'
  const free = freeRow(visit, space, canAdd, atOnce)
  const choices = Shows.map((each) => {
    const href = turned(visit, { show: each === 'both' ? null : each })
    return html`<li><a href="${href}"${
      each === show ? raw(' aria-current="true"') : ''
    }>${each[0]!.toUpperCase()}${each.slice(1)}</a></li>`
  })
  const isAddress = space.width !== undefined || space.model === 'ipam.ipaddress'
  const kept = show === 'both' ? '' : html`<input type="hidden" name="show" value="${show}">`
  return html`${failed ? refusal(failed) : ''}<div class="toolbar space">
<nav class="choice" aria-label="Rows shown"><ul>${choices}</ul></nav>
<form method="get" action="${visit.config.basePath}${visit.path}" role="search">${kept}<label class="unseen"
  for="near">Find in ${m.label} ${row.display}</label><input id="near" name="near"
    value="${visit.query.get('near') ?? ''}" placeholder="${
      isAddress ? 'Where is this address' : 'Find a number'
    }"><button>Find</button></form>
${canAdd && atOnce ? takeForm(visit, space, failed) : ''}</div>${
    show === 'available'
      ? available(visit, target, space, free)
      : listed(visit, target, space, {
          free: show === 'both' ? free : undefined,
          below: m === target ? row : undefined,
        })
  }`
}

function refusal({ body }: Failed): Html {
  const errors = Object.entries(
    errorsOf(Array.isArray(body) ? (body.find((each) => Object.keys(each).length) ?? {}) : body),
  )
  return html`<div class="message bad" role="alert"><ul>${errors.map(
    ([name, text]) => html`<li>${name === '__all__' ? '' : `${name}: `}${messageOf(text)}</li>`,
  )}</ul></div>`
}

/** How much is taken at once by the buttons of the page. */
function takeForm(visit: Visit, space: Space, failed: Failed | undefined): Html {
  const { width, mask } = space
  const free = width === undefined ? [] : upTo(MaxFree, freeBlocks(space, space, MaxSteps)).blocks
  const largest = free.length ? Math.min(...free.map((block) => lengthOf(space, block))) : 0
  const usual = width === undefined ? 0 : Math.min(width, Math.max(mask! + 1, width === 32 ? 24 : 64, largest))
  const given = (name: string, preset: number) => failed?.data.all(name)[0] ?? String(preset)
  return html`<form id="take" class="take" method="post" action="${withQuery(visit, { near: null })}">${csrf(visit)}${
    width === undefined
      ? ''
      : html`<label>Length <input name="length" type="number" min="${mask!}" max="${width}" required
        value="${given('length', usual)}"></label>`
  }<label>How many <input name="count" type="number" min="1" max="${MaxTaken}" required
    value="${given('count', 1)}"></label><button class="primary" type="submit">Take next free</button></form>`
}

/**
 * A page of what is there. What is free stands between: from the first row of the page (from the beginning on the first
 * page) to before the first row of the next; it is left out where the rows are filtered.
 */
function listed(
  visit: Visit,
  target: AnyModel,
  space: Space,
  { free, below }: { free: Free | undefined; below: Row | undefined },
): Html {
  const sought = visit.query.get('near')
  const at = sought === null ? undefined : space.read(sought)
  if (sought && (at === undefined || at < space.outer.first || at > space.outer.last))
    return html`<p class="empty">${sought} does not lie in here.</p>`
  const isOwn = ([name, value]: [string, string]) => space.query.some(([own, is]) => own === name && is === value)
  const here: Visit = {
    ...visit,
    query: new URLSearchParams([...visit.query].filter((pair) => !Own.includes(pair[0]) && !isOwn(pair))),
  }
  const isFiltered = [...here.query.keys()].some((name) => !Paging.includes(name) || name === 'q')
  const query = asked(at !== undefined && space.holding ? space.holding(at) : space.query)
  const condition = conditionOf(visit, target, new URLSearchParams([...query, ...here.query]))
  const preferences = preferencesOf(visit)
  if (at !== undefined && space.before && !isFiltered) {
    const page = Math.floor(countOf(visit, target, asked(space.before(at))) / sizeOf(visit, preferences)) + 1
    here.query.set('page', String(page))
  }
  const sorted = { ...here, query: new URLSearchParams([...here.query, ['sort', space.order]]) }
  const found = paged(sorted, target, preferences, condition)
  const { size, count, at: page } = found
  const beyond = page * size < count ? visit.store.reader.page(target, condition, space.order, 1, page * size).ids : []
  const columns = columnsBy(target, [])
  const rows = rowsOf(visit, target, [...found.ids, ...beyond], [...columns, ...columnsBy(target, [space.order])])
  const after = beyond.length ? rows.pop() : undefined
  let blocks: readonly Span[] = []
  if (at !== undefined && space.around) blocks = free && !isFiltered && rows.length === 0 ? [space.around(at)] : []
  else if (free && !isFiltered) blocks = blocksBetween(space, page === 1 ? undefined : rows[0], after)
  const written = (block: Span & { id?: number }, width: number): Html =>
    block.id === undefined ? free!(block, width) : reservedRow(visit, space, block as Reserved, width)
  if (rows.length + blocks.length === 0)
    return html`<p class="empty">${count ? 'There is no such page.' : 'There are none.'}</p>`
  let place = 0
  const between = (index: number, width: number): Html => {
    const until = index < rows.length ? space.at(rows[index]!) : undefined
    const from = place
    while (place < blocks.length && (until === undefined || blocks[place]!.first < until)) place++
    return html`${blocks.slice(from, place).map((block) => written(block, width))}`
  }
  const drawn = (isOffered: boolean) =>
    table(here, target, columns, rows, {
      chosen: isOffered,
      caption: pluralOf(target),
      actions: rowLinks(visit, target, found.ids),
      between,
      below,
      marked: (row) => at !== undefined && space.at(row) === at,
    })
  const all = { ...here, query: new URLSearchParams([...query, ...here.query]) }
  return html`${
    found.ids.length ? chosen(all, target, drawn, found.count) : drawn(false)
  }${found.ids.length ? pager(here, found) : ''}`
}

type Reserved = ReturnType<NonNullable<Space['reserved']>>[number]

/** What is free or kept for others from a row on (from the beginning where none is given) to before another. */
function blocksBetween(space: Space, from: Row | undefined, after: Row | undefined): (Span | Reserved)[] {
  const part = { first: from ? space.at(from) : space.first, last: after ? space.at(after) - 1n : space.last }
  const { blocks } = upTo(MaxFree, freeBlocks(space, part, MaxSteps))
  const reserved = (space.reserved?.(part) ?? []).filter(({ first }) => first >= part.first)
  return reserved.length ? [...blocks, ...reserved].sort((a, b) => (a.first < b.first ? -1 : 1)) : blocks
}

/** Numbers that another object keeps for itself, with a link to it for who may view it. */
function reservedRow(visit: Visit, space: Space, { model, id, ...span }: Reserved, width: number): Html {
  const m = modelNamed(model)
  const isSeen = may(visit.actor, 'view', m) && visit.store.reader.mayOn(visit.actor, 'view', m, id) === true
  const said = html`${titleOf(m)} ${space.name(span)}`
  return html`<tr class="kept"><td colspan="${width}">${
    isSeen ? html`<a href="${objectHref(visit, m, id)}">${said}</a>` : said
  } <small>${many(span.last - span.first + 1n)} kept</small>`
}

/** So many blocks, and the number up to which they are known. */
function upTo(most: number, found: Generator<Span, bigint>): { blocks: Span[]; end: bigint } {
  const blocks: Span[] = []
  for (;;) {
    const { done, value } = found.next()
    if (done) return { blocks, end: value as bigint }
    blocks.push(value as Span)
    if (blocks.length === most) return { blocks, end: (value as Span).last }
  }
}

/** What is free alone, a page of it from a number on. */
function available(visit: Visit, target: AnyModel, space: Space, free: Free): Html {
  const sought = visit.query.get('near') || visit.query.get('from')
  const from = sought ? space.read(sought) : space.first
  if (from === undefined) return html`<p class="empty">${sought ?? ''} does not lie in here.</p>`
  const size = sizeOf(visit, preferencesOf(visit))
  const { blocks, end } = upTo(size, freeBlocks(space, { first: from, last: space.last }, MaxSteps))
  const [next] = space.name({ first: end + 1n, last: end + 1n }).split('/')
  const between = (_: number, width: number) => html`${blocks.map((block) => free(block, width))}`
  const rows = blocks.length
    ? table(visit, target, columnsBy(target, []), [], { caption: 'Free', actions: () => '', between })
    : html`<p class="empty">Nothing is free${end < space.last ? ` up to ${next!}` : ''}.</p>`
  return html`${rows}${
    end < space.last ? html`<p><a class="button" href="${turned(visit, { from: next! })}">From ${next} on</a></p>` : ''
  }`
}

/** Writes free blocks as rows: a link to a form that begins there, and a button that takes from there at once. */
function freeRow(visit: Visit, space: Space, canAdd: boolean, atOnce: boolean): Free {
  const { width: bits } = space
  const at = space.read(visit.query.get('near') ?? '') ?? -1n
  const add = `${listHref(visit, modelNamed(space.model))}add/`
  return (block, width) => {
    const name = space.name(block)
    const count = many(block.last - block.first + 1n)
    const said = bits === undefined ? html`${count} free: ${name}` : html`${name} free`
    const size = bits === undefined ? '' : html` <small>${count} ${count === '1' ? 'address' : 'addresses'}</small>`
    const mark =
      block.first <= at && at <= block.last ? raw(' class="free found" aria-current="true"') : raw(' class="free"')
    if (!canAdd) return html`<tr${mark}><td colspan="${width}">${said}${size}`
    const preset = new URLSearchParams()
    const body = space.body(block.first, bits === undefined ? undefined : Number(name.split('/')[1]))
    for (const [key, value] of Object.entries({ ...space.presets, ...body }))
      if (value !== null) preset.set(key, String(value))
    preset.set('_back', turned(visit, {}))
    const first = space.name({ first: block.first, last: block.first }).split('/')[0]!
    const take = html`<button type="submit" form="take" name="at" value="${first}"
      aria-label="Take from ${name}">Take</button>`
    return html`<tr${mark}>
<td colspan="${width}"><span><a href="${add}?${preset}">${said}</a>${size}${atOnce ? take : ''}</span>`
  }
}

/** A number that may be very large, to read. */
function many(n: bigint): string {
  if (n < 1_000_000_000n) return n.toLocaleString('en')
  const digits = n.toString()
  return `${digits[0]}.${digits[1]} × 10^${digits.length - 1}`
}
