import type { Field, Row } from '../../src/fields/field.ts'
import { allModels, fieldsOf, genericPrefix, genericTargets, modelNamed } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import type { Store } from '../../src/store/open.ts'
import type { Client } from './launch.ts'
import { type Body, Maker, writable } from './maker.ts'
import type { Random } from './random.ts'

/** A server that is asked, and its database, which is read. */
export interface Ground extends Pick<Client, 'call'> {
  running: { store: Pick<Store, 'db'> }
}

/** Draws objects that hang together from the declarations: trees, nested components, references across them. */
export class Grower extends Maker {
  readonly #client: Ground
  readonly #random: Random
  /** Models whose objects a client may make. */
  readonly models: readonly AnyModel[]

  constructor(client: Ground, random: Random) {
    super(client.call)
    this.#client = client
    this.#random = random
    this.models = allModels.filter((m) => !m.internal && !m.methods)
  }

  /** An object that is there already, as a rule. */
  override async shared(name: string, more: Body = {}): Promise<number> {
    const ids = Object.keys(more).length ? [] : this.ids(modelNamed(name))
    return ids.length && this.#random.chance(0.8) ? this.#random.pick(ids) : this.fresh(name, more)
  }

  /** Ids of all rows of a model. */
  ids(m: AnyModel): number[] {
    return this.#client.running.store.db.all<{ id: number }>(`select id from "${m.table}"`).map(({ id }) => id)
  }

  row(m: AnyModel, id: number): Row | undefined {
    return this.#client.running.store.db.get<Row>(`select * from "${m.table}" where id = ?`, id)
  }

  /** Tries to make one object; answers the status. Rules may refuse it, as what is drawn may contradict itself. */
  async grow(m: AnyModel): Promise<number> {
    let body: Body
    try {
      body = await this.body(m, this.#random.chance(0.2) ? 'full' : 'minimal')
    } catch {
      return 400 // something that it needs was refused
    }
    const fixed = new Set<string>()
    for (const [name, field] of this.#random.shuffled(writable(m)))
      if (!fixed.has(name) && this.#random.chance(field.target?.model === m.name ? 0.7 : 0.2))
        this.#draw(m, body, name, field, fixed)
    const reply = await this.post(m, body)
    if (reply.status >= 500) throw new Error(`POST ${m.path} ${JSON.stringify(body)}: ${reply.status} ${reply.text}`)
    return reply.status
  }

  /**
   * Makes a reference point at an object that is there and agrees with those that are fixed; what it refers to itself,
   * the new object does too: its device is the new object's.
   */
  #draw(m: AnyModel, body: Body, name: string, field: Field, fixed: Set<string>): void {
    if (field.target) {
      const target = modelNamed(field.target.model)
      const both = fieldsOf(m)
        .filter(([other, f]) => other !== name && f.target && !f.readOnly)
        .filter(([other, f]) => target.fields[other]?.target?.model === f.target!.model)
        .map(([other]) => other)
      const row = this.#any(target, (each) =>
        both.every((other) => !fixed.has(other) || (each[`${other}_id`] ?? undefined) === body[other]),
      )
      if (!row) return
      body[name] = row.id
      fixed.add(name)
      for (const other of both) {
        fixed.add(other)
        if (row[`${other}_id`] !== null) body[other] = row[`${other}_id`]
        else if (m.fields[other].options.nullable) delete body[other]
      }
    } else if (field.links) {
      const targets = this.ids(modelNamed(field.links.model))
      body[name] = this.#random.shuffled(targets).slice(0, this.#random.below(4))
    } else if (field.generic) {
      const as = genericPrefix(field, name)
      const targets = [...genericTargets(field.generic)].map(modelNamed).filter((each) => !each.internal)
      const target = this.#random.pick(targets)
      const row = this.#any(target)
      if (row) Object.assign(body, { [`${as}_type`]: target.name, [`${as}_id`]: row.id })
    } else if (field.kind === 'tags') body[name] = this.#random.shuffled(this.ids(modelNamed('extras.tag'))).slice(0, 2)
  }

  #any(m: AnyModel, fits: (row: Row) => boolean = () => true): Row | undefined {
    for (const id of this.#random.shuffled(this.ids(m)).slice(0, 20)) {
      const row = this.row(m, id)!
      if (fits(row)) return row
    }
    return undefined
  }
}
