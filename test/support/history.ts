import assert from 'node:assert/strict'
import { allModels, fieldsOf, modelNamed } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { checks } from '../../src/services/checks.ts'
import type { Store } from '../../src/store/open.ts'
import type { Client } from './launch.ts'
import { Grower } from './grower.ts'
import { type Body, writable } from './maker.ts'
import type { Random } from './random.ts'

/** Not in the state that an undo gives back: accounts, what has no history, what is traced anew under other ids. */
const Apart = /^(users_|core_|extras_(notification|bookmark|subscription|dashboard|script)|dcim_cablepath)/
/** Columns that say when, and ids of what is made anew. */
const Free = new Set(['last_updated', '_path_id'])

/** Every row that an undo gives back, as texts by table; links by what they link. */
export function stateOf(store: Store): Map<string, string[]> {
  const state = new Map<string, string[]>()
  const tables = store.db.all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name glob '[a-z]*_*' and name not like 'search%' and name not like 'history%' and name not like 'sqlite%'",
  )
  for (const { name } of tables) {
    if (Apart.test(name)) continue
    const rows = store.db.all<Record<string, unknown>>(`select * from "${name}"`)
    state.set(
      name,
      rows
        .map((row) =>
          JSON.stringify(
            Object.fromEntries(
              Object.entries(row)
                .filter(
                  ([column]) =>
                    !Free.has(column) &&
                    !('from_id' in row && column === 'id') &&
                    !(name === 'extras_taggeditem' && column === 'id'),
                )
                .map(([column, value]) => [column, Buffer.isBuffer(value) ? value.toString('hex') : value]),
            ),
          ),
        )
        .sort(),
    )
  }
  return state
}

/** Rows that are in one state only. */
export function differences(a: Map<string, string[]>, b: Map<string, string[]>): string[] {
  return [...a].flatMap(([table, rows]) => {
    const [before, after] = [new Set(rows), new Set(b.get(table))]
    return [
      ...[...before].filter((row) => !after.has(row)).map((row) => `- ${table} ${row}`),
      ...[...after].filter((row) => !before.has(row)).map((row) => `+ ${table} ${row}`),
    ]
  })
}

/** What `cabinet check` finds. */
export const problemsOf = (store: Store): string[] =>
  checks.flatMap(({ name, run }) => run(store, false).problems.map((text) => `${name}: ${text}`))

/** Random requests of a client: creates, changes, deletes, one or many at once. */
export class Doer {
  readonly grower: Grower
  readonly #client: Client
  readonly #random: Random
  readonly counts: Record<string, number> = {}
  /** Requests that changed something, in order, by their ids. */
  readonly requests: string[] = []
  readonly #weights: readonly AnyModel[]

  constructor(client: Client, random: Random) {
    this.#client = client
    this.#random = random
    this.grower = new Grower(
      {
        ...client,
        call: async (method, path, body, headers) => {
          const reply = await client.call(method, path, body, headers)
          if (method !== 'GET' && reply.status < 300) this.#note(reply)
          return reply
        },
      },
      random,
    )
    this.#weights = this.grower.models
      .filter((m) => m.changeLogged !== false)
      .flatMap((m) => Array.from({ length: m.path.startsWith('dcim/') ? 3 : 1 }, () => m))
  }

  #note({ headers }: { headers: Headers }): void {
    const id = headers.get('x-request-id')!
    const { db } = this.#client.running.store
    if (db.get('select 1 from core_objectchange where request_id = ?', id) !== undefined) this.requests.push(id)
  }

  async one(): Promise<void> {
    const m = this.#random.pick(this.#weights)
    const dice = this.#random.next()
    const status = dice < 0.45 ? await this.grower.grow(m) : dice < 0.8 ? await this.#change(m) : await this.#remove(m)
    const key = `${dice < 0.45 ? 'create' : dice < 0.8 ? 'change' : 'delete'} ${status}`
    this.counts[key] = (this.counts[key] ?? 0) + 1
  }

  async #send(method: string, m: AnyModel, items: Body[]): Promise<number> {
    const one = items.length === 1 && this.#random.chance(0.5)
    const reply = one
      ? await this.#client.call(
          method,
          `/api/${m.path}/${String(items[0]!.id)}/`,
          method === 'DELETE' ? undefined : items[0],
        )
      : await this.#client.call(method, `/api/${m.path}/`, items)
    assert.ok(reply.status < 500, `${method} ${m.path} ${JSON.stringify(items)}: ${reply.status} ${reply.text}`)
    if (reply.status < 300) this.#note(reply)
    return reply.status
  }

  #some(m: AnyModel): number[] {
    return this.#random.shuffled(this.grower.ids(m)).slice(0, 1 + this.#random.below(3))
  }

  async #remove(m: AnyModel): Promise<number> {
    const ids = this.#some(m)
    return ids.length
      ? this.#send(
          'DELETE',
          m,
          ids.map((id) => ({ id })),
        )
      : 404
  }

  async #change(m: AnyModel): Promise<number> {
    const ids = this.#some(m)
    if (ids.length === 0) return 404
    const items: Body[] = []
    for (const id of ids) {
      let fresh: Body
      try {
        fresh = await this.grower.body(m, this.#random.chance(0.5) ? 'full' : 'minimal')
      } catch {
        return 400
      }
      const body: Body = { id }
      for (const [name, field] of this.#random.shuffled(writable(m)).slice(0, 1 + this.#random.below(4))) {
        if (field.links) body[name] = this.#random.shuffled(this.grower.ids(modelNamed(field.links.model))).slice(0, 2)
        else if (field.target && this.#random.chance(0.5))
          body[name] = this.#random.pick([...this.grower.ids(modelNamed(field.target.model)), null])
        else if (name in fresh) body[name] = fresh[name]
      }
      for (const name of ['name', 'slug', 'description', 'status', 'rack', 'position', 'parent', 'tenant'])
        if (name in fresh && this.#random.chance(0.3)) body[name] = fresh[name]
      if (m.features?.includes('tags') && this.#random.chance(0.3))
        body.tags = this.#random.shuffled(this.grower.ids(modelNamed('extras.tag'))).slice(0, 2)
      items.push(body)
    }
    return this.#send('PATCH', m, items)
  }
}

/** Models of which a server holds objects. */
export const modelsWithRows = (store: Store): number =>
  allModels.filter((m) => fieldsOf(m).length && store.db.get(`select 1 from "${m.table}" limit 1`)).length
