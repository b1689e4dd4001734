import { isObject } from '../lib/json.ts'
import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { Refused, type WriteTools } from '../declare/behaviour.ts'
import type { Reading } from '../engine/input.ts'
import type { AnyModel } from '../declare/model.ts'
import { deleteRows } from '../store/cascade.ts'
import type { Manner } from '../store/commit.ts'
import { create, update, Writing, type Written } from '../store/write.ts'
import { pythonType } from '../fields/refs.ts'
import { lettersOf } from '../fields/text.ts'
import { idOf } from '../store/references.ts'
import { now } from '../lib/datetime.ts'
import { may } from '../engine/actor.ts'
import { momentOf } from '../engine/select.ts'
import { readRequestBody } from './body.ts'
import { exported } from './export.ts'
import { list, viewOf } from './lists.ts'
import { optionsOf } from './options.ts'
import { unlessUnchanged } from './unchanged.ts'
import { type Answer, ApiError, badMethod, type Call, forbidden, jsonAnswer, noRoom, notFound } from './request.ts'
import { timedWrite } from './write-time.ts'

type Item = Record<string, unknown>

/** The request's writes: a transaction-bound set of tools that signs every change record. */
export const writingFor = (call: Call, message = ''): Writing =>
  new Writing(call.store, call.actor, {
    userId: call.actor.userId,
    username: call.actor.username,
    requestId: call.requestId,
    message,
    now: now(),
    method: call.method,
    path: call.path,
  })

/** Answers a request for a model's list. */
export async function onList(call: Call, m: AnyModel): Promise<Answer> {
  const allowed = m.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  if (call.method === 'GET' || call.method === 'HEAD')
    return call.query.has('export') ? exported(call, m) : unlessUnchanged(call, () => list(call, m))
  if (call.method === 'OPTIONS') return jsonAnswer(200, optionsOf(call, m, 'List'))
  if (!(allowed as string[]).includes(call.method)) throw badMethod(call.method)
  demand(call, actionOf(call.method), m)
  const body = await readRequestBody(call, m)
  demand(call, actionOf(call.method), m) // once more: permissions may have ended while the body came
  if (call.method === 'POST') return Array.isArray(body) ? createMany(call, m, body) : createOne(call, m, body)
  if (call.method === 'DELETE') return deleteMany(call, m, body)
  return updateMany(call, m, body)
}

/** Answers a request for one object. */
export async function onDetail(call: Call, m: AnyModel, id: number): Promise<Answer> {
  const allowed = m.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  if (call.method === 'GET' || call.method === 'HEAD') return detail(call, m, id)
  if (call.method === 'OPTIONS')
    return jsonAnswer(
      200,
      optionsOf(call, m, 'Instance', call.store.reader.mayOn(call.actor, 'change', m, id) === true),
    )
  if (call.method === 'POST' || !(allowed as string[]).includes(call.method)) throw badMethod(call.method)
  demand(call, actionOf(call.method), m)
  const body = await readRequestBody(call, m)
  demand(call, actionOf(call.method), m) // once more: permissions may have ended while the body came
  if (call.method === 'DELETE') return deleteOne(call, m, id, body)
  return updateOne(call, m, id, body)
}

const actionOf = (method: string): string =>
  ({ POST: 'add', PUT: 'change', PATCH: 'change', DELETE: 'delete' })[method] ?? 'view'

/** 403 unless the actor may do this to objects of the model at all. */
export function demand(call: Call, action: string, m: AnyModel): void {
  if (!call.actor.writes && action !== 'view') throw forbidden()
  if (!may(call.actor, action, m)) throw forbidden()
}

function detail(call: Call, m: AnyModel, id: number): Answer {
  if (!may(call.actor, 'view', m)) throw forbidden()
  if (isBarred(call, 'view', m, id)) throw notFound(m.objectName)
  return shown(call, m, id, 200, viewOf(call, m))
}

/** Whether there is an object to which the actor may not do this; it is not asked for where it makes no difference. */
const isBarred = (call: Call, action: string, m: AnyModel, id: number): boolean =>
  call.store.reader.asksOfRows(call.actor, action, m) && !mayOn(call, action, m, id)

/** Whether there is such an object and the actor may do this to it. */
const mayOn = (call: Call, action: string, m: AnyModel, id: number): boolean =>
  call.store.reader.mayOn(call.actor, action, m, id) === true

function shown(
  call: Call,
  m: AnyModel,
  id: number,
  status: number,
  view = viewOf(call, m, { writing: true }),
  written?: Written,
): Answer {
  const { text: body, moment } = call.store.reader.oneWithMoment(m, id, view, call.base) ?? {}
  if (!body) throw notFound(m.objectName)
  const etag = moment === undefined ? etagOf(call, m, id) : etagText(moment)
  const headers: Record<string, string> = { 'content-type': 'application/json', ...(etag ? { etag } : {}) }
  if (status === 201 && (view.members ? view.members.includes('url') : !view.omit?.includes('url')))
    headers.location = `${call.base}/api/${m.path}/${id}/`
  const shownOnce = Object.entries(written?.shownOnce ?? {})
  return {
    status,
    headers,
    body: shownOnce.length
      ? stringifyExact({ ...(parseExact(body) as object), ...Object.fromEntries(shownOnce) })
      : body,
  }
}

/** Weak ETag of an object's last change, or creation. */
export function etagOf(call: Call, m: AnyModel, id: number): string | undefined {
  const column = momentOf(m)
  if (!column) return undefined
  const moment = call.store.db.get<{ at: string | null }>(
    `select ${column} as at from "${m.table}" where id = +?`,
    id,
  )?.at
  return etagText(moment ?? null)
}

/** The ETag of an object that was changed, or else made, at this moment as it is stored. */
export const etagText = (moment: string | null): string | undefined =>
  moment ? `W/"${moment.replace('Z', '+00:00')}"` : undefined

function checkMatch(call: Call, m: AnyModel, id: number, header = call.request.headers.get('if-match')): void {
  if (header === null) return
  const current = etagOf(call, m, id)
  const given = header.split(',').map((tag) => tag.trim())
  if (given.includes('*') || (current && given.includes(current))) return
  throw new ApiError(412, { detail: 'Precondition failed.' }, current ? { etag: current } : {})
}

/** Reads `changelog_message` of a body. Throws `ApiError` when it is too long. */
export function messageOf(body: unknown): string {
  const message = (body as Item | null)?.changelog_message
  if (message === undefined || message === null) return ''
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  if (text.length > 200 && lettersOf(text) > 200)
    throw new ApiError(400, { changelog_message: ['Ensure this field has no more than 200 characters.'] })
  return text
}

function readingOf(call: Call, m: AnyModel, mode: Reading['mode']): Reading {
  const { isEntered } = call
  const view = viewOf(call, m, { writing: true })
  if (view.members) {
    const members = new Set(view.members)
    return { mode, isEntered, only: (key) => members.has(key) }
  }
  if (view.omit) {
    const left = new Set(view.omit)
    return { mode, isEntered, only: (key) => !left.has(key) }
  }
  return { mode, isEntered }
}

/** 403 unless the actor may do this to the object as it now is. */
export function demandOn(call: Call, action: string, m: AnyModel, id: number): void {
  if (!call.actor.superuser && !mayOn(call, action, m, id)) throw forbidden()
}

/** What is done besides in the transaction of a write, once the object is there. */
export type Afterwards = (tools: WriteTools, id: number) => void

/** Answers as the object is by this write, whatever others do to it in the same transaction. */
export async function createOne(call: Call, m: AnyModel, body: unknown, after?: Afterwards): Promise<Answer> {
  return transact(
    call,
    () => {
      const w = writingFor(call, messageOf(body))
      const made = create(w, m, body, readingOf(call, m, 'create'))
      demandOn(call, 'add', m, made.id)
      after?.(w.tools, made.id)
      return shown(call, m, made.id, 201, undefined, made)
    },
    after ? 'plain' : 'brief',
  )
}

/** Creates objects whose bodies only the transaction itself can tell; all of them or none. Answers their ids. */
export async function createFrom(
  call: Call,
  m: AnyModel,
  bodies: (tools: WriteTools) => readonly Item[],
): Promise<number[]> {
  return transact(call, () => {
    demand(call, 'add', m)
    const w = writingFor(call)
    return bodies(w.tools).map((body) => {
      const { id } = create(w.withMessage(messageOf(body)), m, body, { mode: 'create' })
      demandOn(call, 'add', m, id)
      return id
    })
  })
}

export async function createMany(
  call: Call,
  m: AnyModel,
  bodies: readonly unknown[],
  after?: Afterwards,
): Promise<Answer> {
  const written = await transact(call, () => {
    const errors: unknown[] = []
    const made: Written[] = []
    const reading = readingOf(call, m, 'create')
    const w = writingFor(call, '')
    for (const body of bodies) {
      try {
        const one = create(w.withMessage(messageOf(body)), m, body, reading)
        demandOn(call, 'add', m, one.id)
        after?.(w.tools, one.id)
        made.push(one)
        errors.push({})
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal?.status !== 400 || m.sequential || isDetail(refusal.body)) throw error
        errors.push(refusal.body)
      }
    }
    if (made.length < bodies.length) throw new ApiError(400, errors)
    return made
  })
  const answer = rowsAnswer(call, m, written, 201)
  if (m.sequential && written.length) answer.headers!.location = `${call.base}/api/${m.path}/${written.at(-1)!.id}/`
  return answer
}

/** Answers like `createOne`. */
export async function updateOne(
  call: Call,
  m: AnyModel,
  id: number,
  body: unknown,
  ifMatch = call.request.headers.get('if-match'),
  after?: Afterwards,
): Promise<Answer> {
  return transact(
    call,
    () => {
      if (isBarred(call, 'change', m, id)) throw notFound(m.objectName)
      checkMatch(call, m, id, ifMatch)
      const w = writingFor(call, messageOf(body))
      const made = update(w, m, id, body, readingOf(call, m, call.method === 'PUT' ? 'replace' : 'update'))
      demandOn(call, 'change', m, id)
      after?.(w.tools, id)
      return shown(call, m, id, 200, undefined, made)
    },
    after ? 'plain' : 'brief',
  )
}

/** So many objects are told of that cannot be changed as was asked. */
const MaxRefused = 50

/**
 * Changes several objects, all of them or none; those that the actor may not change are left out. Throws the first
 * refusal; where `refused` is given it holds what is wrong with each object, by its id, when this throws. What depends
 * on
 * how the objects are is worked out by a function, once nobody else can change them.
 */
export async function changeMany(
  call: Call,
  m: AnyModel,
  items: readonly Item[] | (() => readonly Item[]),
  refused?: Map<number, unknown>,
): Promise<Written[]> {
  const mode = call.method === 'PUT' ? 'replace' : 'update'
  return transact(call, () => {
    refused?.clear() // of a run before, which was undone
    const given = typeof items === 'function' ? items() : items
    const known = given.filter((item) => mayOn(call, 'change', m, idOf(item.id)!))
    const reading = readingOf(call, m, mode)
    const w = writingFor(call, '')
    const changed = (item: Item): Written => {
      const made = update(w.withMessage(messageOf(item)), m, idOf(item.id)!, item, reading)
      demandOn(call, 'change', m, made.id)
      return made
    }
    if (!refused) return known.map(changed)
    const written: Written[] = []
    for (const item of known) {
      try {
        written.push(changed(item))
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        refused.set(idOf(item.id)!, refusal.body)
        if (refused.size === MaxRefused) break
      }
    }
    if (refused.size) throw new ApiError(400, Object.fromEntries(refused))
    return written
  })
}

async function updateMany(call: Call, m: AnyModel, body: unknown): Promise<Answer> {
  const written = await changeMany(call, m, itemsOf(body))
  const inOrder = call.store.reader.page(
    m,
    {
      where: ['t.id in (select value from json_each(:ids))'],
      values: { ids: JSON.stringify(written.map((w) => w.id)) },
      uses: [],
    },
    undefined,
    undefined,
    0,
  )
  return rowsAnswer(
    call,
    m,
    inOrder.ids.map((id) => ({ id, shownOnce: {} })),
    200,
  )
}

export async function deleteOne(call: Call, m: AnyModel, id: number, body: unknown): Promise<Answer> {
  await transact(call, () => {
    if (!mayOn(call, 'delete', m, id)) throw notFound(m.objectName)
    checkMatch(call, m, id)
    deleteRows(writingFor(call, messageOf(body)), m, [id])
  })
  return { status: 204, body: null }
}

export async function deleteMany(call: Call, m: AnyModel, body: unknown): Promise<Answer> {
  const items = itemsOf(body)
  await transact(call, () => {
    const theirs = items.filter((item) => mayOn(call, 'delete', m, idOf(item.id)!))
    for (const [message, same] of Map.groupBy(theirs, messageOf))
      deleteRows(
        writingFor(call, message),
        m,
        same.map((item) => idOf(item.id)!),
      )
  })
  return { status: 204, body: null }
}

/** The items of a bulk update or delete: objects with an id each. */
function itemsOf(body: unknown): Item[] {
  if (!Array.isArray(body))
    throw new ApiError(400, { non_field_errors: [`Expected a list of items but got type "${pythonType(body)}".`] })
  const errors = body.map((item) => {
    if (!isObject(item))
      return { non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(item)}.`] }
    if ((item as Item).id === undefined) return { id: ['This field is required.'] }
    return idOf((item as Item).id) === undefined ? { id: ['A valid integer is required.'] } : {}
  })
  if (errors.some((error) => Object.keys(error).length)) throw new ApiError(400, errors)
  return body as Item[]
}

function rowsAnswer(call: Call, m: AnyModel, written: readonly Written[], status: number): Answer {
  const ids = written.map((w) => w.id)
  const view = viewOf(call, m, { writing: true })
  const headers = { 'content-type': 'application/json' }
  const isOnce = ({ shownOnce }: Written) => Object.keys(shownOnce ?? {}).length > 0
  if (!written.some(isOnce)) return { status, body: call.store.reader.listWritten(m, ids, view, call.base), headers }
  const rows = call.store.reader
    .rows(m, ids, view, call.base)
    .map((row, i) =>
      isOnce(written[i]!) ? stringifyExact({ ...(parseExact(row) as object), ...written[i]!.shownOnce }) : row,
    )
  return { status, body: `[${rows.join()}]`, headers }
}

/**
 * One transaction, answered after it is on disk; what is brief is the work of one object. Throws `ApiError` 507 where
 * the disk has no room for it.
 */
export async function transact<T>(call: Call, work: () => T, manner?: Manner): Promise<T> {
  if (call.store.disk.isFull) throw noRoom()
  return call.store.commit.run(() => timedWrite(call, () => asToday(call, work)), String(call.actor.userId), manner)
}

/** Writes before this one may have deleted who asks, or taken rights away. */
function asToday<T>(call: Call, work: () => T): T {
  const today = call.renew?.() ?? call.actor
  if (call.actor.writes && !today.writes) throw forbidden()
  call.actor = call.actor.writes ? today : { ...today, writes: false } // who looks at an earlier moment never writes
  return work()
}

const refusalOf = (error: unknown): { status: number; body: unknown } | undefined =>
  error instanceof Refused || error instanceof ApiError ? error : undefined
const isDetail = (body: unknown): boolean => typeof body === 'object' && body !== null && 'detail' in body
