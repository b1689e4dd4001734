import { parseExact } from '../lib/exact-json.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Authorship } from '../store/changelog.ts'
import type { Change } from '../store/feed.ts'
import type { Store } from '../store/open.ts'
import { Actors } from '../store/actors.ts'
import { modelNamed } from '../engine/catalog.ts'
import { meets } from '../rules/conditions.ts'
import { enqueue } from '../rules/job-queue.ts'
import { membersOf, notify, subscribersOf } from './notifications.ts'
import { sql } from '../declare/statement.ts'
import { addTo } from '../lib/lists.ts'

interface Rule {
  id: number
  name: string
  events: ReadonlySet<string>
  conditions: unknown
  /** What the data of an event are added to. */
  extra: object | null
  action: string
  target: number
}
interface Kept {
  data: string | undefined
  subscribers: readonly number[]
  /** Members of notification groups who may view it, by the id of the group. */
  members: ReadonlyMap<number, readonly number[]>
}

const eventOf = { create: 'object_created', update: 'object_updated', delete: 'object_deleted' } as const

/** What happened, as rules and receivers see it. `event` is the name that payloads have. */
interface Event {
  type: string
  id: number
  label: string
  event: string
  name: string
  data: unknown
  snapshots?: { prechange: unknown; postchange: unknown }
  by: Authorship
  members?: Kept['members'] | undefined
}

const SubscribedTypes = sql<{ type: string }>`select distinct object_type as type from extras_subscription`

/** Event rules and subscriptions of one store, acting on its changes. */
export class Events {
  readonly #store: Store
  #stamp = -1
  #rules = new Map<string, Rule[]>()
  #subscribed = new Set<string>()
  readonly #actors: Actors

  constructor(store: Store) {
    this.#store = store
    this.#actors = new Actors(store)
  }

  watch(): void {
    this.#store.commit.feed.listener = {
      wants: (m) => this.#wants(m),
      keep: (m, id): Kept => ({
        data: this.#show(m, id),
        subscribers: this.#viewersOf(m, id, subscribersOf(this.#store.rows, m.name, id)),
        members: new Map(
          (this.#rules.get(m.name) ?? [])
            .filter((rule) => rule.action === 'notification' && rule.events.has(eventOf.delete))
            .map(({ target }) => [target, this.#viewersOf(m, id, membersOf(this.#store.rows, target))]),
        ),
      }),
      changed: (changes) => {
        for (const change of changes) this.#onChange(change)
      },
    }
  }

  /** Acts on the course of a job; its data are the payload's. */
  ofJob(
    event: 'job_started' | 'job_completed' | 'job_failed' | 'job_errored',
    { type, id, label, data }: { type: string; id: number; label: string; data: unknown },
    by: Authorship,
  ): void {
    this.#refresh()
    this.#act({ type, id, label, event, name: event, data, by })
  }

  #wants(m: AnyModel): boolean {
    this.#refresh()
    return this.#rules.has(m.name) || this.#subscribed.has(m.name)
  }

  #onChange({ m, id, action, label, before, after, by, kept }: Change): void {
    const event = eventOf[action]
    const gone = kept as Kept | undefined
    // The subscriptions to an object go with it.
    const subscribers =
      gone?.subscribers ??
      (action === 'update' && this.#subscribed.has(m.name)
        ? this.#viewersOf(m, id, subscribersOf(this.#store.rows, m.name, id))
        : [])
    notify(this.#store.rows, subscribers, { type: m.name, id, label, event, at: by.now })
    if (!this.#rules.get(m.name)?.some((rule) => rule.events.has(event))) return
    const shown = gone ? gone.data : this.#show(m, id)
    this.#act({
      type: m.name,
      id,
      label,
      event,
      name: `${action}d`,
      by,
      members: gone?.members,
      data: shown === undefined ? null : parseExact(shown),
      snapshots: { prechange: parsed(before), postchange: parsed(after) },
    })
  }

  #act(happened: Event): void {
    for (const rule of this.#rules.get(happened.type) ?? []) {
      if (!rule.events.has(happened.event) || !meets(rule.conditions, happened.data)) continue
      if (rule.action === 'webhook') this.#queue(rule, happened)
      else if (rule.action === 'notification') this.#notify(rule, happened)
    }
  }

  #queue(rule: Rule, { type, id, event, name, data, snapshots, by }: Event): void {
    const payload = {
      event: name,
      timestamp: by.now.replace('Z', '+00:00'),
      object_type: type,
      model: type.split('.')[1],
      username: by.username,
      request_id: by.requestId,
      data: rule.extra ? { ...rule.extra, ...(data as object | null) } : data,
      ...(by.method ? { request: { id: by.requestId, method: by.method, path: by.path, user: by.username } } : {}),
      ...(snapshots ? { snapshots } : {}),
    }
    enqueue(this.#store.rows, {
      lane: `webhook:${rule.target}`,
      name: `${rule.name}: ${type} ${id}`,
      object: { type: 'extras.eventrule', id: rule.id },
      userId: by.userId,
      payload,
      data: { event, object_type: type, object_id: id, request_id: by.requestId, webhook: rule.target },
    })
  }

  #notify(rule: Rule, { type, id, label, event, by, members }: Event): void {
    const viewers =
      members?.get(rule.target) ?? this.#viewersOf(modelNamed(type), id, membersOf(this.#store.rows, rule.target))
    notify(this.#store.rows, viewers, { type, id, label, event, at: by.now })
  }

  /** Those of some users who may view an object. */
  #viewersOf(m: AnyModel, id: number, users: readonly number[]): number[] {
    return users.filter((user) => {
      const actor = this.#actors.of(user, false)
      return actor !== undefined && this.#store.reader.mayOn(actor, 'view', m, id) === true
    })
  }

  /** The object as its endpoint shows it, with links that begin at the base path. */
  #show(m: AnyModel, id: number): string | undefined {
    return this.#store.reader.one(m, id, {}, this.#store.config.basePath)
  }

  #refresh(): void {
    const { db, rows } = this.#store
    const stamp = db.stamp(['extras_eventrule', 'extras_subscription'])
    if (stamp === this.#stamp) return
    this.#stamp = stamp
    this.#rules = new Map()
    for (const row of rows.rows('extras.eventrule', { enabled: 1 }, { order: ['name'] })) {
      const rule: Rule = {
        id: row.id,
        name: row.name,
        events: new Set(JSON.parse(row.event_types!) as string[]),
        conditions: parsed(row.conditions),
        extra: parsed(row.action_data) as object | null,
        action: row.action_type,
        target: row.action_object_id!,
      }
      for (const type of JSON.parse(row.object_types) as string[]) addTo(this.#rules, type, rule)
    }
    this.#subscribed = new Set(rows.all(SubscribedTypes).map((row) => row.type))
  }
}

const parsed = (text: string | null): unknown => (text === null ? null : parseExact(text))
