import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import { type Actor, may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { Store } from '../store/open.ts'
import { alreadySent } from './already-sent.ts'
import { conditionOf } from './lists.ts'
import { idOf } from '../store/references.ts'
import { ApiError, badMethod, type Call, described, type Env, forbidden } from './request.ts'
import { send } from './send.ts'
import { withSavedFilters } from './saved-filters.ts'

/** Milliseconds between signs of life, at which it is also asked whether the listener may still listen. */
const Heartbeat = 15_000
/** Bytes that wait for a reader; one that leaves more is dropped and resumes when it comes back. */
const MaxWaiting = 1_000_000
/** Listeners at once, and changes that are read at once. */
const [MaxListeners, Batch] = [2000, 500]

const Changes = 'core.objectchange'

/** Who listens: what they ask for, and what they have heard. */
interface Listener {
  call: Call
  out: ServerResponse
  /** The last change that was looked at for this listener. */
  seen: number
  /** Those who see the same are told the same text. */
  group: string
}

/** Tells listeners of changes as they are committed: one look into the change log for all of them. */
class Watching {
  readonly #store: Store
  readonly #listeners = new Set<Listener>()
  #newest = 0
  #isDue = false
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store) {
    this.#store = store
    store.commit.onCommitted(() => this.#look())
  }

  /** Begins to tell a listener of changes after the one that it heard last, or else from now on. Throws `ApiError`. */
  listen(call: Call, out: ServerResponse, after: number | undefined, headers: Record<string, string>): void {
    const m = modelNamed(Changes)
    if (!may(call.actor, 'view', m)) throw forbidden()
    conditionOf(call, m, withSavedFilters(call, m)) // refuses filters that are wrong before anything is sent
    if (this.#listeners.size >= MaxListeners)
      throw new ApiError(503, { detail: 'Too many listen already.' }, { 'retry-after': '60' })
    const now = this.#last()
    this.#tell() // those who listen already hear of what this one will not hear of
    const listener: Listener = { call, out, seen: Math.min(after ?? now, now), group: groupOf(call) }
    out.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    out.write('retry: 3000\n\n')
    out.on('close', () => this.#leave(listener))
    this.#tellOfGap(listener)
    if (this.#listeners.size === 0) this.#newest = now
    this.#listeners.add(listener)
    this.#timer ??= setInterval(() => this.#beat(), Heartbeat).unref()
    if (listener.seen < now) this.#catchUp(listener)
  }

  /** Ends all streams; clients come back where they were. */
  close(): void {
    for (const { out } of this.#listeners) out.end()
    this.#listeners.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #last(): number {
    return lastChange(this.#store)
  }

  /** Changes that the log has forgotten since cannot be told. */
  #tellOfGap({ out, seen }: Listener): void {
    const first = this.#store.db.get<{ id: number | null }>('select min(id) as id from core_objectchange')!.id
    if (seen > 0 && first !== null && first > seen + 1)
      out.write(`event: gap\ndata: ${JSON.stringify({ after: seen, before: first })}\n\n`)
  }

  /** Looks once for all commits of a turn of the event loop. */
  #look(): void {
    if (this.#isDue || this.#listeners.size === 0) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#tell()
    })
  }

  #tell(): void {
    if (this.#listeners.size === 0) return
    for (let last = this.#last(); this.#newest < last; ) {
      const ids = this.#idsAfter(this.#newest)
      const upTo = ids.at(-1) ?? last
      const texts = new Map<string, string>()
      for (const listener of this.#listeners) {
        if (listener.seen < this.#newest || listener.seen >= upTo) continue // it catches up by itself
        if (listener.seen > this.#newest) {
          this.#catchUp(listener)
          continue
        }
        if (!texts.has(listener.group)) texts.set(listener.group, this.#textFor(listener.call, ids))
        this.#say(listener, texts.get(listener.group)!, upTo)
      }
      this.#newest = upTo
    }
  }

  #idsAfter(id: number): number[] {
    return this.#store.db
      .all<{ id: number }>('select id from core_objectchange where id > ? order by id limit ?', id, Batch)
      .map((row) => row.id)
  }

  /** Those of some changes that a listener asks for and may view, as events. */
  #textFor(call: Call, ids: readonly number[]): string {
    const m = modelNamed(Changes)
    if (ids.length === 0 || !may(call.actor, 'view', m)) return ''
    const condition = conditionOf(call, m, withSavedFilters(call, m))
    const { ids: found } = this.#store.reader.from(
      m,
      {
        ...condition,
        where: [...condition.where, 't.id in (select value from json_each(:newIds))'],
        values: { ...condition.values, newIds: JSON.stringify(ids) },
      },
      0,
      ids.length,
    )
    const rows = this.#store.reader.rows(m, found, {}, call.base)
    return rows.map((row, i) => `id: ${found[i]}\nevent: change\ndata: ${String(row)}\n\n`).join('')
  }

  #say(listener: Listener, text: string, upTo: number): void {
    listener.seen = upTo
    if (text !== '') listener.out.write(text)
    if (listener.out.writableLength > MaxWaiting) listener.out.destroy()
  }

  /** Tells what a listener has missed, batch by batch, as quickly as it reads. */
  #catchUp(listener: Listener): void {
    if (listener.out.destroyed || listener.out.writableEnded) return
    try {
      const ids = this.#idsAfter(listener.seen)
      if (ids.length) this.#say(listener, this.#textFor(listener.call, ids), ids.at(-1)!)
      if (ids.length < Batch) {
        listener.seen = Math.max(listener.seen, this.#newest)
        return
      }
    } catch {
      listener.out.destroy()
      return
    }
    if (listener.out.writableNeedDrain) listener.out.once('drain', () => this.#catchUp(listener))
    else setImmediate(() => this.#catchUp(listener))
  }

  /** Says that all is well, to those who may still listen; also hears of what other processes wrote. */
  #beat(): void {
    for (const listener of this.#listeners) {
      const actor = renewed(listener.call)
      if (!actor || !may(actor, 'view', modelNamed(Changes))) {
        listener.out.end()
        continue
      }
      listener.call.actor = actor
      listener.group = groupOf(listener.call)
      listener.out.write(': all is well\n\n')
      if (listener.out.writableLength > MaxWaiting) listener.out.destroy()
    }
    this.#look()
  }
}

/** The id of the last change; 0 for none. */
export const lastChange = ({ db }: Store): number =>
  db.get<{ id: number | null }>('select max(id) as id from core_objectchange')!.id ?? 0

const watchings = new WeakMap<Store, Watching>()
/** What tells of the changes of a store. */
export function watchingOf(store: Store): Watching {
  const known = watchings.get(store) ?? new Watching(store)
  watchings.set(store, known)
  return known
}

/** `GET core/object-changes/stream/`: changes as they are made, as server-sent events; `Last-Event-ID` goes on after that change. */
export async function streamChanges(c: Context<Env>): Promise<Response> {
  const call = c.get('call')
  if (call.method === 'OPTIONS') return send(c, described('stream', 'Tells of changes as they are made.'))
  if (call.method !== 'GET') throw badMethod(call.method)
  if (!call.outgoing) throw new ApiError(406, { detail: 'Only a connection of its own can be told of changes.' })
  const given = call.request.headers.get('last-event-id') ?? call.query.get('last_event_id')
  const after = given === null || given === '' ? undefined : idOf(given)
  if (given && after === undefined) throw new ApiError(400, { last_event_id: ['A change id is required.'] })
  watchingOf(call.store).listen(call, call.outgoing, after, c.get('common'))
  return alreadySent()
}

const groupOf = (call: Call): string => `${call.actor.userId} ${call.actor.writes} ${call.base} ${call.query}`

function renewed(call: Call): Actor | undefined {
  try {
    return call.renew!()
  } catch {
    return undefined
  }
}
