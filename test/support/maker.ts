import type { Field } from '../../src/fields/field.ts'
import { allModels, fieldsOf, genericTargets, modelNamed } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { coherent } from './coherent.ts'
import type { Client, Reply } from './launch.ts'
import { sample } from './samples.ts'

export type Body = Record<string, unknown>
export type Extent = 'minimal' | 'full'

/** Fields that a body may set. */
export const writable = (m: AnyModel): [string, Field][] =>
  fieldsOf(m).filter(([, f]) => f.input && !f.readOnly && !f.options.hidden)
const isWritten = (m: AnyModel): boolean => !m.internal && (m.methods ?? ['POST']).includes('POST')

/** Makes objects of any model from its declaration, with whatever they refer to. */
export class Maker {
  readonly call: Client['call']
  readonly #shared = new Map<string, Promise<number>>()
  #serial: number

  /** `made`: so many objects were made by others, whose names it leaves alone. */
  constructor(call: Client['call'], made = 0) {
    this.call = call
    this.#serial = made
  }

  /** An object of the model that others may refer to, made when it is first asked for. */
  shared(name: string, more: Body = {}): Promise<number> {
    const key = `${name} ${JSON.stringify(more)}`
    const known = this.#shared.get(key) ?? this.fresh(name, more)
    this.#shared.set(key, known)
    return known
  }

  /** A custom field `matrix` of every model that has custom fields. */
  async customField(): Promise<void> {
    const object_types = allModels.filter((m) => m.fields.custom_fields).map((m) => m.name)
    await this.fresh('extras.customfield', { name: 'matrix', type: 'text', object_types })
  }

  /** That field, and of every model that can be written an object with the required fields, and one with all. */
  async everything(): Promise<void> {
    await this.customField()
    for (const m of allModels.filter((each) => !each.internal && !each.methods))
      for (const extent of ['minimal', 'full'] as const) {
        const { status, text } = await this.post(m, await this.body(m, extent))
        if (status !== 201) throw new Error(`cannot make ${m.name}: ${status} ${text}`)
      }
  }

  /** A new object; answers its id. */
  async fresh(name: string, more: Body = {}): Promise<number> {
    const m = modelNamed(name)
    const reply = await this.post(m, { ...(await this.body(m, 'minimal')), ...more })
    if (reply.status !== 201) throw new Error(`cannot make ${name}: ${reply.status} ${reply.text}`)
    return reply.json.id as number
  }

  /** The body of a POST with the required fields, or with all. */
  async body(m: AnyModel, extent: Extent): Promise<Body> {
    const n = ++this.#serial
    const own = (await coherent[m.name]?.(this, n, extent)) ?? {}
    const body: Body = {}
    for (const [name, field] of writable(m)) {
      if (!(field.required || extent === 'full') || (field.keys?.(name) ?? [name]).some((key) => key in own)) continue
      Object.assign(body, await this.value(m, name, field, n))
    }
    const all = { ...body, ...own }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }

  /** A new value of one field, as members of a body; none for kinds that no value is known for. */
  async value(_m: AnyModel, name: string, field: Field, n = ++this.#serial): Promise<Body> {
    if (field.target && !isWritten(modelNamed(field.target.model))) return {}
    if (field.target)
      return {
        [name]: field.options.unique ? await this.fresh(field.target.model) : await this.shared(field.target.model),
      }
    if (field.links)
      return isWritten(modelNamed(field.links.model)) ? { [name]: [await this.shared(field.links.model)] } : {}
    if (field.moves) return { [name]: [] } // another's rows would clash with those that are there
    if (field.generic) {
      const [type, id] = field.keys!(name) as [string, string]
      const target = [...genericTargets(field.generic)].filter((each) => isWritten(modelNamed(each))).sort()[0]!
      return { [type]: target, [id]: await this.fresh(target) }
    }
    if (field.kind === 'tags') return { [name]: [await this.shared('extras.tag')] }
    if (field.kind === 'custom-fields') return { [name]: { matrix: `custom ${n}` } }
    const value = sample(field, n)
    return value === undefined ? {} : { [name]: value }
  }

  /** Sends a body to the list; as a form when it holds a file. */
  post(m: AnyModel, body: Body): Promise<Reply> {
    return this.call(
      'POST',
      `/api/${m.path}/`,
      Object.values(body).some((value) => value instanceof Blob) ? formOf(body) : body,
    )
  }
}

/** A body as a form, with its files. */
export function formOf(body: Body): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.append(name, value, 'sample.png')
    else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return form
}
