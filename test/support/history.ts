import assert from 'node:assert/strict'
import { fieldsOf, modelNamed, typesWith } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { type Ground, Grower } from './grower.ts'
import { type Body, formOf, writable } from './maker.ts'
import type { Random } from './random.ts'
import { type Hand, Shades, specials } from './specials.ts'

/** What requests of two sides are about for a while: few models, and few of their objects. */
export class Focus {
  readonly models: readonly AnyModel[]
  /** Objects that either side has changed meanwhile, the first few of each model. */
  readonly #touched = new Map<AnyModel, Set<number>>()

  /** One of some models, what it refers to, and what refers to it. */
  constructor(models: readonly AnyModel[], random: Random) {
    const targets = (m: AnyModel) => fieldsOf(m).flatMap(([, { target, links }]) => target?.model ?? links?.model ?? [])
    const first = random.pick(models.filter((m) => m.changeLogged !== false && targets(m).length > 1))
    const near = models.filter((m) => m === first || targets(m).includes(first.name) || targets(first).includes(m.name))
    this.models = random.shuffled(near).slice(0, 6)
  }

  touch(m: AnyModel, ids: readonly number[]): void {
    this.#touched.set(m, new Set([...(this.#touched.get(m) ?? []), ...ids].slice(0, 4)))
  }

  /** Of some objects the ones that were changed, unless that is none. */
  amongTouched(m: AnyModel, ids: readonly number[]): readonly number[] {
    const touched = ids.filter((id) => this.#touched.get(m)?.has(id))
    return touched.length ? touched : ids
  }
}

/**
 * Random requests of a client: creates, changes, deletes, one or many at once, and what models do in their own ways.
 */
export class Doer {
  readonly grower: Grower
  readonly #ground: Ground
  readonly #random: Random
  readonly counts: Record<string, number> = {}
  readonly #weights: readonly AnyModel[]
  #names = 0
  focus: Focus | undefined

  /** `without`: models of which it makes nothing, and changes nothing. */
  constructor(ground: Ground, random: Random, { without = /^$/ }: { without?: RegExp } = {}) {
    this.#ground = ground
    this.#random = random
    this.grower = new Grower(ground, random)
    const fresh = this.grower.fresh.bind(this.grower)
    this.grower.fresh = async (name, more) => {
      if (!without.test(name)) return fresh(name, more)
      const ids = this.grower.ids(modelNamed(name))
      if (ids.length === 0) throw new Error(`cannot make ${name}`)
      return random.pick(ids)
    }
    this.#weights = this.grower.models
      .filter((m) => m.changeLogged !== false && !without.test(m.name))
      .flatMap((m) => Array.from({ length: m.path.startsWith('dcim/') ? 3 : 1 }, () => m))
  }

  /** Requests that changed something, in order, by their ids: all, or those after a step of the journal. */
  requests(after = 0): string[] {
    return this.#db
      .all<{ request_id: string }>(
        "select request_id from history_step where id > ? and request_id <> '' order by id",
        after,
      )
      .map(({ request_id }) => request_id)
  }

  /** The last step of the journal. */
  get step(): number {
    return this.#db.get<{ id: number }>('select max(id) as id from history_step')!.id
  }

  get #db() {
    return this.#ground.running.store.db
  }

  /** Makes what other requests draw on: custom fields of all models. */
  async begin(): Promise<void> {
    const object_types = [...typesWith('custom_fields')].sort()
    const set = { name: 'shades', extra_choices: Shades.map((shade) => [shade, shade]) }
    await this.#send('POST', modelNamed('extras.customfieldchoiceset'), set)
    const choice_set = { name: 'shades' }
    for (const more of [
      { name: 'matrix', type: 'text' },
      { name: 'amount', type: 'integer', default: 7, object_types: ['dcim.site', 'dcim.device', 'dcim.interface'] },
      { name: 'friends', type: 'multiobject', related_object_type: 'dcim.site' },
      { name: 'shade', type: 'select', choice_set },
      { name: 'shades', type: 'multiselect', choice_set },
      { name: 'since', type: 'date' },
      { name: 'flag', type: 'boolean' },
      { name: 'data', type: 'json' },
    ])
      await this.#send('POST', modelNamed('extras.customfield'), { object_types, ...more })
  }

  async one(): Promise<void> {
    const m = this.#model()
    const dice = this.#random.next()
    const [what, status] =
      dice < 0.3
        ? await this.#special()
        : dice < 0.55
          ? ['create', await this.grower.grow(m)]
          : dice < 0.84
            ? ['change', await this.#change(this.#populated())]
            : ['delete', await this.#remove(this.#populated())]
    const key = `${what} ${status}`
    this.counts[key] = (this.counts[key] ?? 0) + 1
  }

  #model(): AnyModel {
    const near = this.focus?.models.filter((m) => this.#weights.includes(m)) ?? []
    return this.#random.pick(near.length && this.#random.chance(0.8) ? near : this.#weights)
  }

  /** A model of which there are objects, as a rule. */
  #populated(): AnyModel {
    for (let tries = 0; tries < 8; tries++) {
      const m = this.#model()
      if (this.#db.get(`select 1 from "${m.table}" limit 1`) !== undefined) return m
    }
    return this.#random.pick(this.#weights)
  }

  async #send(method: string, m: AnyModel, body: unknown, id?: number): Promise<number> {
    const blob = Object.values(body ?? {}).some((value) => value instanceof Blob)
    const reply = await this.#ground.call(
      method,
      `/api/${m.path}/${id === undefined ? '' : `${id}/`}`,
      blob ? formOf(body as Body) : body,
    )
    assert.ok(reply.status < 500, `${method} ${m.path} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`)
    return reply.status
  }

  #sendAll(method: string, m: AnyModel, items: Body[]): Promise<number> {
    const isOne = items.length === 1 && this.#random.chance(0.5)
    const isForm = items.some((item) => Object.values(item).some((value) => value instanceof Blob))
    if (!isOne && !isForm) return this.#send(method, m, items)
    const { id, ...body } = items[0]!
    return this.#send(method, m, method === 'DELETE' ? undefined : body, id as number)
  }

  #some(m: AnyModel): number[] {
    const ids = this.grower.ids(m)
    const near = this.focus && this.#random.chance(0.8) ? this.focus.amongTouched(m, ids) : ids
    const chosen = this.#random.shuffled([...near]).slice(0, 1 + this.#random.below(3))
    this.focus?.touch(m, chosen)
    return chosen
  }

  #any(m: AnyModel): number | undefined {
    const ids = this.grower.ids(m)
    const near = this.focus && this.#random.chance(0.8) ? this.focus.amongTouched(m, ids) : ids
    const id = this.#random.pick([...near, undefined])
    if (id !== undefined) this.focus?.touch(m, [id])
    return id
  }

  async #remove(m: AnyModel): Promise<number> {
    const ids = this.#some(m)
    return ids.length
      ? this.#sendAll(
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
        const keys = field.keys?.(name) ?? [name]
        if (field.links) body[name] = this.#random.shuffled(this.grower.ids(modelNamed(field.links.model))).slice(0, 2)
        else if (field.target && this.#random.chance(0.5))
          body[name] = this.#random.pick([...this.grower.ids(modelNamed(field.target.model)), null])
        else for (const key of keys) if (key in fresh) body[key] = fresh[key]
      }
      for (const name of ['name', 'slug', 'description', 'status', 'rack', 'position', 'parent', 'tenant'])
        if (name in fresh && this.#random.chance(0.3)) body[name] = fresh[name]
      if (m.features?.includes('tags') && this.#random.chance(0.3)) {
        const tags = this.#random.shuffled(this.grower.ids(modelNamed('extras.tag')))
        if (this.#random.chance(0.5)) body.tags = tags.slice(0, 2)
        else Object.assign(body, { add_tags: tags.slice(0, 1), remove_tags: tags.slice(1, 2) })
      }
      if (m.fields.custom_fields && this.#random.chance(0.3)) body.custom_fields = this.#customValues()
      items.push(body)
    }
    return this.#sendAll('PATCH', m, items)
  }

  #customValues(): Body {
    const fields = this.#db.all<{ name: string; type: string }>('select name, type from extras_customfield')
    const chosen = this.#random.shuffled(fields).slice(0, 2)
    return Object.fromEntries(
      chosen.map(({ name, type }) => {
        if (this.#random.chance(0.3)) return [name, null]
        if (type === 'integer') return [name, this.#random.below(99)]
        if (type === 'multiobject') return [name, this.#some(modelNamed('dcim.site'))]
        if (type === 'select') return [name, this.#random.pick(Shades)]
        if (type === 'multiselect') return [name, Shades.filter(() => this.#random.chance(0.3))]
        if (type === 'date') return [name, `2026-01-${10 + this.#random.below(20)}`]
        if (type === 'boolean') return [name, this.#random.chance(0.5)]
        if (type === 'json') return [name, this.#random.pick([[], {}, { a: [this.#random.below(9), null] }, 'text'])]
        return [name, `text ${this.#random.below(99)}`]
      }),
    )
  }

  /** What does not come by drawing fields. */
  async #special(): Promise<[string, number]> {
    const kind = this.#random.pick(Object.keys(specials))
    try {
      return [kind, await specials[kind]!(this.#hand)]
    } catch (error) {
      if (!/cannot make/.test((error as Error).message)) throw error
      return [kind, 400] // something that it needs was refused
    }
  }

  /** What special requests draw with. */
  get #hand(): Hand {
    return {
      random: this.#random,
      grower: this.grower,
      all: (sql, ...values) => this.#db.all(sql, ...values),
      any: (m) => this.#any(m),
      send: (method, m, body, id) => this.#send(method, m, body, id),
      act: async (m, id, action, body) => {
        const { status, text } = await this.#ground.call('POST', `/api/${m.path}/${id}/${action}/`, body)
        assert.ok(status < 500, `${m.path} ${action}: ${status} ${text}`)
        return status
      },
      name: () => `n${++this.#names}`,
    }
  }
}
