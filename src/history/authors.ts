import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import type { Connection } from '../store/database.ts'
import type { Authorship } from '../store/changelog.ts'
import { IdsOfOne } from '../store/own-ids.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Told } from './plan.ts'

/** A change record of the other side. */
export interface TheirRecord {
  time: string
  /** Whose account it was, which has one id on both sides; undefined from versions that did not tell. */
  user_id?: number | null | undefined
  user_name: string
  request_id: string
  action: string
  changed_object_type: string
  changed_object_id: number
  message: string
  prechange_data: string | null
  postchange_data: string | null
}
export const RecordColumns = `time, user_id, user_name, request_id, action, changed_object_type, changed_object_id,
  message, prechange_data, postchange_data`

type Snapshot = Record<string, unknown>
const read = (text: string | null): Snapshot | null => (text === null ? null : (parseExact(text) as Snapshot))

/** Who signs what a merge writes here. */
export interface Signing {
  /** Who merges. */
  by: Authorship
  /** Added to each message of the other side. */
  mark: string
  /** No time is before this, or after the merge. */
  since?: string | undefined
  /** Who signs for objects that came, where no record tells of them; without it, who merges. */
  unknown?: { by: Authorship; objects: ReadonlySet<string> } | undefined
  /** Added to messages of objects about which something was decided. */
  decision?: { mark: string; objects: () => ReadonlySet<string> } | undefined
}

/** Who made the changes of the other side, when, and with what message; for the change records of this side. */
export class Authors {
  readonly #records: ReadonlyMap<string, readonly TheirRecord[]>
  readonly #by: (record: TheirRecord) => Authorship
  readonly #told = new Set<string>()
  readonly #signing: Signing

  constructor(db: Connection, records: readonly TheirRecord[], signing: Signing) {
    const keyOf = (each: TheirRecord): string => `${each.changed_object_type}:${each.changed_object_id}`
    this.#records = Map.groupBy(records, keyOf)
    this.#signing = signing
    const { by, mark, since = '', decision } = signing
    const users = new Map<string | number, number | null>()
    const userBy = (key: string | number): number | null => {
      const column = typeof key === 'string' ? 'username' : 'id'
      if (!users.has(key))
        users.set(key, db.get<{ id: number }>(`select id from users_user where ${column} = ?`, key)?.id ?? null)
      return users.get(key)!
    }
    const marked = (message: string, mark: string): string =>
      mark ? [message.slice(0, 199 - mark.length), mark].filter(Boolean).join(' ') : message.slice(0, 200)
    const bounded = (time: string): string => (time > by.now ? by.now : time < since ? since : time)
    // Accounts that were made in a kit stay there: of these the name alone is known.
    const userOf = ({ user_id: id, user_name }: TheirRecord): number | null =>
      id === null ? null : userBy(id === undefined || id >= IdsOfOne ? user_name : id)
    this.#by = (record) => ({
      userId: userOf(record),
      username: record.user_name,
      requestId: record.request_id,
      message: marked(record.message, decision?.objects().has(keyOf(record)) ? decision.mark : mark),
      now: bounded(record.time),
    })
  }

  /** Who signs for an object of which no record tells. */
  #nobodys(key: string): Authorship {
    const { by, unknown } = this.#signing
    return unknown?.objects.has(key) ? unknown.by : by
  }

  readonly deleter = (m: AnyModel, id: number): Authorship => {
    const key = `${m.name}:${id}`
    const last = this.#records.get(key)?.findLast(({ action }) => action === 'delete')
    return last ? this.#by(last) : this.#nobodys(key)
  }

  /**
   * The records of one object: each request of the other side by itself, as far as it counts in what the object becomes
   * here.
   */
  readonly told = (m: AnyModel, id: number, before: string | null, after: string): readonly Told[] => {
    const key = `${m.name}:${id}`
    const records = this.#records.get(key) ?? []
    const last = records.at(-1)
    if (!last) return [{ by: this.#nobodys(key), before, after }]
    if (this.#told.has(key) || records.length === 1) return [{ by: this.#by(last), before, after }]
    this.#told.add(key)
    const found: Told[] = []
    const goal = read(after)!
    let now = before
    for (const record of records.slice(0, -1)) {
      const next = this.#step(record, read(now), read(before), goal)
      if (!next || next === now || next === after) continue
      found.push({ by: this.#by(record), before: now, after: next })
      now = next
    }
    return [...found, { by: this.#by(last), before: now, after }]
  }

  #step(
    { prechange_data, postchange_data }: TheirRecord,
    now: Snapshot | null,
    first: Snapshot | null,
    goal: Snapshot,
  ) {
    const [was, is] = [read(prechange_data), read(postchange_data)]
    if (!is) return undefined
    const alike = (a: unknown, b: unknown) => stringifyExact(a ?? null) === stringifyExact(b ?? null)
    const next: Snapshot = { ...(now ?? goal) }
    for (const name of Object.keys(goal))
      if (!alike(was?.[name], is[name]) && (!first || !alike(first[name], goal[name]))) next[name] = is[name]
    return stringifyExact(next)
  }
}
