import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import { type Actor, may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { Columns, Reads } from '../store/versions.ts'
import type { Store } from '../store/open.ts'
import { AccountTables } from '../store/actors.ts'
import { Turns } from '../lib/turns.ts'
import { alreadySent } from './already-sent.ts'
import {
  type ChangePiece,
  Changes,
  groupOf,
  lastChange,
  type Made,
  PieceBytes,
  pieceAfter,
  textFor,
} from './change-texts.ts'
import { conditionOf } from './lists.ts'
import { demandToday } from './moment.ts'
import { idOf } from '../store/references.ts'
import { ApiError, badMethod, type Call, described, type Env, forbidden } from './request.ts'
import { send } from './send.ts'
import { withSavedFilters } from './saved-filters.ts'

/** Milliseconds between keep-alive comments; the listener's permissions are checked again with each. */
const Heartbeat = 15_000
/**
 * Bytes that a reader may be behind by; one that reads nothing for `MaxStill` milliseconds then is dropped, and resumes
 * when it comes back.
 */
const [MaxBehind, MaxStill] = [1_000_000, 2000]
/** Listeners at once; and bytes that are sent at once to who is behind, of which nothing more is held in memory. */
const [MaxListeners, Slice] = [2000, 65_536]

/** Tables that decide who may hear what; columns that note the use of credentials are written often and left out. */
const Accounts: Reads = new Map<string, Columns>([
  ...AccountTables.map((table) => [table, 'all'] as const),
  ['users_token', new Set(['enabled', 'expires', 'allowed_ips', 'user_id'])],
  ['users_session', new Set(['expires'])],
])

/** So many times as long as the thread told listeners it then rests; and, in milliseconds, at most. */
const [Rest, MaxRest] = [3, 250]

/** Who listens: what they ask for, and what they have heard. */
interface Listener {
  call: Call
  out: ServerResponse
  /** The last change that was looked at for this listener. */
  seen: number
  /** Whether it is told what it has missed, as quickly as it reads, and not what happens meanwhile. */
  isBehind: boolean
  /** Bytes that it is behind by, without what was sent already; what it had taken when that was looked at, and when. */
  owed: number
  taken: number
  stillSince: number
  /** Those who see the same are told the same text. */
  group: string
}

/**
 * Tells listeners of changes as they are committed: one look into the change log for all of them, one text for those
 * who see the same. Requests come between; what is committed meanwhile is told together in the next round.
 */
class Watching {
  readonly #store: Store
  readonly #listeners = new Set<Listener>()
  readonly #groups = new Map<string, Set<Listener>>()
  /** The last change of the last round; and whether one is due, or under way. */
  #newest = 0
  #isDue = false
  /** When the next round may begin, by `performance.now()`. */
  #rested = 0
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  /** The last change that is known to be on disk: nobody is told of later ones. */
  #synced = 0
  /** Says which state accounts are in, and the one that the listeners' permissions are of. */
  readonly #accounts: () => number
  #known = 0

  constructor(store: Store) {
    this.#store = store
    this.#accounts = store.db.stampOf(Accounts)
    store.commit.onCommitted(() => this.#look())
  }

  /** Waits until what is committed now is on disk, so that it can be told. Throws `ApiError` when the server ends. */
  async settle(): Promise<void> {
    const last = lastChange(this.#store)
    await this.#store.commit.synced()
    if (this.#isOver) throw new ApiError(503, { detail: 'The server is stopping.' }, { 'retry-after': '5' })
    this.#synced = Math.max(this.#synced, last)
  }

  /**
   * Begins to tell a listener of changes after the one that it heard last, or else from now on; called after `settle`.
   * Throws `ApiError`.
   */
  listen(call: Call, out: ServerResponse, after: number | undefined, headers: Record<string, string>): void {
    const m = modelNamed(Changes)
    if (!may(call.actor, 'view', m)) throw forbidden()
    conditionOf(call, m, withSavedFilters(call, m)) // refuses filters that are wrong before anything is sent
    if (this.#listeners.size >= MaxListeners)
      throw new ApiError(503, { detail: 'Too many listen already.' }, { 'retry-after': '60' })
    const now = this.#synced
    const seen = Math.min(after ?? now, now)
    const state = { isBehind: false, owed: 0, taken: 0, stillSince: performance.now() }
    const listener: Listener = { call, out, seen, group: groupOf(call), ...state }
    // The end of the connection is that of the stream: chunks would be written in three pieces.
    out.removeHeader('transfer-encoding')
    out.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    // Who breaks off before the first change resumes from here too; and not all at once after a restart.
    out.write(`retry: ${Math.round(3000 + 2000 * Math.random())}\nid: ${seen}\n\n`)
    out.on('close', () => this.#leave(listener))
    this.#tellOfGap(listener)
    if (this.#listeners.size === 0) {
      this.#newest = now
      this.#known = this.#accounts()
    }
    this.#join(listener)
    this.#timer ??= setInterval(() => void this.#beat(), Heartbeat).unref()
    if (listener.seen < now) this.#catchUp(listener)
  }

  /** Ends all streams; clients come back where they were. */
  close(): void {
    this.#isOver = true
    for (const { out } of this.#listeners) out.end()
    this.#listeners.clear()
    this.#groups.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #join(listener: Listener): void {
    this.#listeners.add(listener)
    const group = this.#groups.get(listener.group)
    if (group) group.add(listener)
    else this.#groups.set(listener.group, new Set([listener]))
  }

  #leave(listener: Listener): void {
    this.#part(listener)
    if (this.#listeners.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #part(listener: Listener): void {
    this.#listeners.delete(listener)
    const group = this.#groups.get(listener.group)
    group?.delete(listener)
    if (group?.size === 0) this.#groups.delete(listener.group)
  }

  /** Changes that the log has forgotten since cannot be told. */
  #tellOfGap({ out, seen }: Listener): void {
    const first = this.#store.db.get<{ id: number | null }>('select min(id) as id from core_objectchange')!.id
    if (seen > 0 && first !== null && first > seen + 1)
      out.write(`event: gap\ndata: ${JSON.stringify({ after: seen, before: first })}\n\n`)
  }

  /** Has all be told, once for what is committed until then. */
  #look(): void {
    if (this.#isDue || this.#listeners.size === 0) return
    this.#isDue = true
    const rest = this.#rested - performance.now()
    const tell = (): void => {
      this.#tell().catch((error: unknown) => {
        this.#isDue = false // the next change is told of, if it can be read
        throw error
      })
    }
    if (rest > 1) setTimeout(tell, rest)
    else setImmediate(tell)
  }

  async #tell(): Promise<void> {
    const turns = new Turns()
    try {
      await this.settle()
    } catch {
      this.#isDue = false // the disk failed, which was told, or the server ends
      return
    }
    await this.#renewAll(turns)
    for (let isMore = true; isMore && this.#listeners.size > 0; ) {
      const piece = pieceAfter(this.#store, this.#newest, this.#synced)
      isMore = piece.isMore
      if (piece.ids.length === 0) break
      const from = this.#newest
      this.#newest = piece.ids.at(-1)!
      const made: Made = new Map()
      for (const group of [...this.#groups.values()]) await this.#tellGroup(group, from, piece, made, turns)
    }
    this.#isDue = false
    this.#rested = performance.now() + Math.min(MaxRest, Rest * turns.worked)
    if (this.#listeners.size > 0 && lastChange(this.#store) > this.#newest) this.#look()
  }

  /** Tells those of a group who have heard all up to one change of those that follow. */
  async #tellGroup(
    group: ReadonlySet<Listener>,
    from: number,
    { ids, bytes }: ChangePiece,
    made: Made,
    turns: Turns,
  ): Promise<void> {
    const upTo = ids.at(-1)!
    let text: Buffer | undefined
    for (const listener of [...group]) {
      if (turns.isOver) await turns.next()
      if (!this.#listeners.has(listener)) continue
      if (listener.isBehind) {
        listener.owed += bytes
        dropIfStill(listener)
        continue
      }
      if (listener.seen >= upTo) continue
      if (listener.seen !== from) {
        this.#catchUp(listener)
        continue
      }
      try {
        text ??= textFor(listener.call, ids, made)
      } catch {
        listener.out.destroy() // what it filters by is gone; it hears so when it comes back
        continue
      }
      this.#say(listener, text, upTo)
    }
  }

  /** Tells what follows in the log; who has not taken what was told before is told when it has. */
  #say(listener: Listener, text: Buffer, upTo: number): void {
    const { out } = listener
    if (out.writableLength > PieceBytes || text.length > PieceBytes) {
      this.#catchUp(listener)
      return
    }
    listener.seen = upTo
    if (text.length > 0) out.write(text)
  }

  /** Tells what a listener has missed, piece by piece, as quickly as it reads. */
  #catchUp(listener: Listener): void {
    if (listener.isBehind) return
    listener.isBehind = true
    listener.owed = 0
    listener.stillSince = performance.now()
    const { out } = listener
    let rest = Buffer.alloc(0)
    const next = (): void => {
      if (!this.#listeners.has(listener) || out.destroyed || out.writableEnded) return
      if (out.writableNeedDrain) {
        out.once('drain', next)
        return
      }
      try {
        if (rest.length === 0) {
          const piece = pieceAfter(this.#store, listener.seen, this.#synced)
          if (piece.ids.length === 0) {
            listener.isBehind = false // in the turn in which nothing follows: what was committed while it read is told
            return
          }
          rest = Buffer.from(textFor(listener.call, piece.ids))
          listener.seen = piece.ids.at(-1)!
          listener.owed = Math.max(0, listener.owed - piece.bytes)
        }
        if (rest.length > 0) out.write(rest.subarray(0, Slice)) // bit by bit, so that it is seen to be taken
        rest = rest.subarray(Slice)
      } catch {
        out.destroy()
        return
      }
      setImmediate(next)
    }
    next()
  }

  /** Says that all is well, to those who may still listen; also hears of what other processes wrote. */
  async #beat(): Promise<void> {
    const turns = new Turns()
    await this.#renewAll(turns, true)
    for (const listener of [...this.#listeners]) {
      if (turns.isOver) await turns.next()
      if (!this.#listeners.has(listener)) continue
      if (listener.isBehind) dropIfStill(listener, true)
      else if (!this.#isDue && listener.seen < this.#newest)
        this.#catchUp(listener) // it changed groups meanwhile
      // With the id, so that what it does not ask for is not looked at again when it comes back.
      else listener.out.write(`: all is well\nid: ${listener.seen}\n\n`)
    }
    this.#look()
  }

  /** Has listeners hear what they may hear now, where accounts changed; `always`: also where time alone has passed. */
  async #renewAll(turns: Turns, always = false): Promise<void> {
    const stamp = this.#accounts()
    if (stamp === this.#known && !always) return
    this.#known = stamp
    for (const listener of [...this.#listeners]) {
      if (turns.isOver) await turns.next()
      if (!this.#listeners.has(listener)) continue
      const actor = renewed(listener.call)
      if (!actor || !may(actor, 'view', modelNamed(Changes))) {
        this.#part(listener)
        listener.out.end()
        continue
      }
      this.#part(listener)
      listener.call.actor = actor
      listener.group = groupOf(listener.call)
      this.#join(listener)
    }
  }
}

/** Drops who is behind by much, or since the last heartbeat, and has taken nothing for a while. */
function dropIfStill(listener: Listener, isLong = false): void {
  const { out } = listener
  const taken = (out.socket?.bytesWritten ?? 0) - out.writableLength
  const now = performance.now()
  if (taken !== listener.taken) {
    listener.taken = taken
    listener.stillSince = now
  } else if (now - listener.stillSince > (isLong ? Heartbeat : MaxStill) && (isLong || listener.owed > MaxBehind))
    out.destroy()
}

const watchings = new WeakMap<Store, Watching>()
/** What tells of the changes of a store. */
export function watchingOf(store: Store): Watching {
  const known = watchings.get(store) ?? new Watching(store)
  watchings.set(store, known)
  return known
}

/**
 * `GET core/object-changes/stream/`: changes as they are made, as server-sent events; `Last-Event-ID` goes on after
 * that change.
 */
export async function streamChanges(c: Context<Env>): Promise<Response> {
  const call = c.get('call')
  if (call.method === 'OPTIONS') return send(c, described('stream', 'Tells of changes as they are made.'))
  if (call.method !== 'GET') throw badMethod(call.method)
  demandToday(call)
  if (!call.outgoing) throw new ApiError(406, { detail: 'Only a connection of its own can be told of changes.' })
  const given = call.request.headers.get('last-event-id') ?? call.query.get('last_event_id')
  const after = given === null || given === '' ? undefined : idOf(given)
  if (given && after === undefined) throw new ApiError(400, { last_event_id: ['A change id is required.'] })
  const watching = watchingOf(call.store)
  await watching.settle()
  if (call.outgoing.destroyed) return alreadySent() // nobody would be told that it is gone
  call.actor = call.renew?.() ?? call.actor // what was allowed may not be any more
  watching.listen(call, call.outgoing, after, c.get('common'))
  return alreadySent()
}

function renewed(call: Call): Actor | undefined {
  try {
    return call.renew!()
  } catch {
    return undefined
  }
}
