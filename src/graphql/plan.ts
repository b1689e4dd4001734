import { randomUUID } from 'node:crypto'
import { type FieldNode, getArgumentValues, type GraphQLObjectType, type SelectionSetNode } from 'graphql'
import type { SqlContext } from '../fields/context.ts'
import type { Stored } from '../fields/field.ts'
import { lit, q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Actor, permittedRows } from '../engine/actor.ts'
import { allModels, modelNamed, typesWith } from '../engine/catalog.ts'
import { orderOf } from '../engine/order.ts'
import { filtered, RowsPerCost, scope, type Source } from './conditions.ts'
import { type Member, membersOf, typeId, typeOf, type Union } from './members.ts'
import { typeName } from './names.ts'
import { Refusal } from './refusal.ts'
import { schema } from './schema.ts'
import { below, fieldsIn, type Operation } from './selection.ts'

/**
 * Stands in the JSON of a row where a value is missing that is never null: what makes the object around it null. No
 * input can know it.
 */
export const Missing = `~${randomUUID()}~`

/**
 * Members of an object of the answer by key: what the schema calls them, whether they may be null, and what is below.
 */
export type Shape = Map<string, { field: string; isNullable: boolean; below: Shape | undefined }>

/**
 * The rows of one SELECT: the objects that they refer to are joined with them, and those that are too many for that
 * selected apart.
 */
interface Frame {
  readonly joins: string[]
}
export const frame = (): Frame => ({ joins: [] })
/** SQLite joins 64 tables at most, and looks at all of them before it begins. */
const MaxJoined = 30

/** Members of an object that cost as much as a row. */
const MembersPerRow = 20

/** A page of a list, by its bounds. */
interface Paging {
  offset: number
  limit: number
  start: number | undefined
}
type Arguments = { filters?: Record<string, unknown> | null; pagination?: Record<string, unknown> | null }

/** What planning asks of its surroundings, beyond what compiling a filter does. */
export interface PlanSource extends Source {
  readonly values: Readonly<Record<string, Stored>>
  readonly actor: Actor
  /** Names of the custom fields of a model. */
  readonly customNames: (m: AnyModel) => readonly string[]
  /** MAX_PAGE_SIZE; 0 for no limit. */
  readonly maxPageSize: number
}

/** Makes SQL of what an operation selects: one expression for each object, however deep. */
export class Planner {
  readonly #operation: Operation
  readonly #c: PlanSource

  constructor(operation: Operation, c: PlanSource) {
    this.#operation = operation
    this.#c = c
  }

  /** SQL of the ids of a list's page, in order; `rows` is how many they may be. Throws `Refusal`. */
  list(m: AnyModel, node: FieldNode): { sql: string; rows: number } {
    const args = this.#arguments(schema().getQueryType()!, node)
    const a = this.#c.alias()
    const paging = this.#paging(args.pagination)
    const sql = this.#ids(m, a, { joins: '', where: 'true' }, args.filters, paging)
    return { sql, rows: Math.min(paging.limit < 0 ? Number.POSITIVE_INFINITY : paging.limit, this.#c.size(m)) }
  }

  /** The id that the field of a single object asks for. Throws `Refusal`. */
  id(node: FieldNode): unknown {
    return (this.#arguments(schema().getQueryType()!, node) as { id: unknown }).id
  }

  /**
   * SQL of the JSON (JSONB, which needs no reading again further out) of an object on row alias `t`; `rows` is how many
   * of them there may be.
   */
  object(
    m: AnyModel,
    t: string,
    sets: readonly SelectionSetNode[],
    at: { rows: number; shape: Shape; into: Frame },
  ): string {
    const { rows } = at
    this.#c.spend(rows)
    const type = schema().getType(typeName(m)) as GraphQLObjectType
    const members = membersOf(m)
    const context = this.#context(m)
    const pairs: string[] = []
    for (const [key, nodes] of fieldsIn(type.name, sets, this.#operation)) {
      const [node] = nodes as [FieldNode]
      const name = node.name.value
      const sql =
        name === '__typename'
          ? lit(type.name)
          : this.#member(type, t, members.get(name)!, nodes, { ...at, key, field: `${type.name}.${name}`, context })
      pairs.push(`${lit(key)}, ${sql}`)
    }
    this.#c.spend((rows * pairs.length) / MembersPerRow)
    return `jsonb_object(${pairs.join(', ')})`
  }

  #member(
    type: GraphQLObjectType,
    t: string,
    member: Member,
    nodes: readonly FieldNode[],
    at: { rows: number; shape: Shape; into: Frame; key: string; field: string; context: SqlContext },
  ): string {
    const isNullable = !typeOf(member).endsWith('!')
    const known = at.shape.get(at.key)?.below
    const under: Shape = known ?? new Map()
    at.shape.set(at.key, { field: at.field, isNullable, below: under })
    const sets = below(nodes)
    switch (member.as) {
      case 'value':
        return member.sql(t, at.context)
      case 'parts':
        return this.#parts(type, member, t, nodes)
      case 'one':
        return this.#related(member, t, sets, { ...at, shape: under }, isNullable)
      case 'many':
        return this.#many(type, member, t, nodes, at, under)
      case 'any': {
        const found = this.#oneOf(member.union, member.type(t), member.id(t), sets, { rows: at.rows, shape: under })
        return isNullable ? found : `coalesce(${found}, ${lit(Missing)})`
      }
      case 'anys': {
        const { from, type: each, id } = member.list(t, at.context)
        const found = this.#oneOf(member.union, each, id, sets, { rows: at.rows * 2, shape: under })
        return `(select jsonb_group_array(found) from (select ${found} as found from ${from})
          where found is not null)`
      }
    }
  }

  /** An object that is referred to; null for one that is hidden. */
  #related(
    { model, id }: Extract<Member, { as: 'one' }>,
    t: string,
    sets: readonly SelectionSetNode[],
    at: { rows: number; shape: Shape; into: Frame; context: SqlContext },
    isNullable: boolean,
  ): string {
    const a = this.#c.alias()
    const visible = this.visible(model, a)
    const table = `${q(model.table)} ${a}`
    const on = `${a}.id = ${id(t, at.context)}${visible ? ` and ${visible}` : ''}`
    const none = visible && !isNullable ? lit(Missing) : 'null'
    if (at.into.joins.length < MaxJoined) {
      at.into.joins.push(`left join ${table} on ${on}`)
      return `iif(${a}.id is null, ${none}, ${this.object(model, a, sets, at)})`
    }
    const into = frame()
    const found = this.object(model, a, sets, { ...at, into })
    return `coalesce((select ${found} from ${table} ${into.joins.join(' ')} where ${on}), ${none})`
  }

  /** An object of one of several models; null for one that is hidden. */
  #oneOf(
    { models: names }: Union,
    type: string,
    id: string,
    sets: readonly SelectionSetNode[],
    { rows, shape }: { rows: number; shape: Shape },
  ): string {
    const arms = names.map((name) => {
      const m = modelNamed(name)
      const a = this.#c.alias()
      const visible = this.visible(m, a)
      const into = frame()
      const found = this.object(m, a, sets, { rows: rows / names.length, shape, into })
      return `when ${lit(name)} then (select ${found}
        from ${q(m.table)} ${a} ${into.joins.join(' ')} where ${a}.id = ${id}${visible ? ` and ${visible}` : ''})`
    })
    return `case ${type} ${arms.join(' ')} end`
  }

  #many(
    type: GraphQLObjectType,
    { model, rows: rowsOf, isWhole }: Extract<Member, { as: 'many' }>,
    t: string,
    nodes: readonly FieldNode[],
    at: { rows: number; field: string; context: SqlContext },
    shape: Shape,
  ): string {
    const args = this.#arguments(type, nodes[0]!)
    const [a, p, b] = [this.#c.alias(), this.#c.alias(), this.#c.alias()]
    const paging = isWhole ? { offset: 0, limit: -1, start: undefined } : this.#paging(args.pagination)
    const ids = this.#ids(model, a, rowsOf(t, a, at.context), args.filters, paging)
    const fan = this.#c.fan(at.context.owner, model)
    const rows = at.rows * (paging.limit < 0 ? fan : Math.min(fan, paging.limit))
    const into = frame()
    const found = this.object(model, b, below(nodes), { rows, shape, into })
    return `(select jsonb_group_array(${found})
      from (${ids}) ${p} cross join ${q(model.table)} ${b} on ${b}.id = ${p}.id ${into.joins.join(' ')})`
  }

  /** SQL of the ids of a page of a list, in its order. */
  #ids(
    m: AnyModel,
    a: string,
    own: { joins: string; where: string },
    filters: Record<string, unknown> | null | undefined,
    paging: Paging,
  ): string {
    const c = this.#c
    const table = q(m.table)
    const where = [own.where]
    const into = scope()
    const isDistinct = filters?.DISTINCT === true
    const f = isDistinct ? c.alias() : a
    const condition = filters ? filtered(m, f, filters, into, c) : undefined
    c.spend((c.size(m) * (into.fan - 1)) / RowsPerCost)
    if (condition && isDistinct)
      where.push(`${a}.id in (select ${f}.id from ${table} ${f} ${into.joins.join(' ')} where ${condition})`)
    else if (condition) where.push(condition)
    const visible = this.visible(m, a)
    if (visible) where.push(visible)
    if (paging.start !== undefined) where.push(`${a}.id >= ${c.bind(paging.start)}`)
    const { joins, terms } =
      paging.start === undefined ? orderOf(m, undefined, a, c.alias) : { joins: '', terms: `${a}.id` }
    return `select ${a}.id as id from ${table} ${a} ${own.joins} ${joins} ${isDistinct ? '' : into.joins.join(' ')}
      where ${where.join(' and ')} order by ${terms} limit ${c.bind(paging.limit)} offset ${c.bind(paging.offset)}`
  }

  #paging(given: Record<string, unknown> | null | undefined): Paging {
    const {
      offset = 0,
      limit,
      start,
    } = (given ?? {}) as { offset?: number; limit?: number | null; start?: number | null }
    const most = this.#c.maxPageSize || Number.MAX_SAFE_INTEGER
    if (start !== null && start !== undefined && start < 0) throw new Refusal('`start` must be zero or more.')
    if (start !== null && start !== undefined && offset !== 0)
      throw new Refusal('`start` and `offset` cannot be given together.')
    if (offset < 0) throw new Refusal('`offset` must be zero or more.')
    const asked = limit && limit > 0 ? Math.min(limit, most) : most
    return { offset, limit: asked === Number.MAX_SAFE_INTEGER ? -1 : asked, start: start ?? undefined }
  }

  #parts(
    type: GraphQLObjectType,
    member: Extract<Member, { as: 'parts' }>,
    t: string,
    nodes: readonly FieldNode[],
  ): string {
    const name = member.type.replace(/[[\]!]/g, '')
    const object = (value: string): string => {
      const pairs = [...fieldsIn(name, below(nodes), this.#operation)].map(([key, [node]]) => {
        const part = node!.name.value
        return `${lit(key)}, ${part === '__typename' ? lit(name) : partOf(name, part, value)}`
      })
      return `iif(coalesce(${value}, '') = '', null, jsonb_object(${pairs.join(', ')}))`
    }
    if (!member.type.startsWith('[')) return object(member.of(t))
    const { offset, limit } = this.#paging(this.#arguments(type, nodes[0]!).pagination)
    const j = this.#c.alias()
    return `(select jsonb_group_array(${object(`${j}.value`)}) from (select value from json_each(${member.of(t)})
      limit ${this.#c.bind(limit)} offset ${this.#c.bind(offset)}) ${j})`
  }

  /** SQL of the rows on alias `t` that the actor may view; undefined for all. */
  visible(m: AnyModel, t: string): string | undefined {
    return permittedRows(this.#c.actor, 'view', m, t, this.#c)
  }

  #arguments(type: GraphQLObjectType, node: FieldNode): Arguments {
    const field = type.getFields()[node.name.value]!
    return field.args.length ? (getArgumentValues(field, node, this.#operation.variables) as Arguments) : {}
  }

  #context(owner: AnyModel): SqlContext {
    const { alias, uses, customNames } = this.#c
    return {
      owner,
      isNested: false,
      forced: undefined,
      models: allModels,
      model: modelNamed,
      typesWith,
      nested: () => 'null',
      object: () => 'null',
      ordered: (_target, a) => ({ joins: '', terms: `${a}.id` }),
      customFields: (t) => {
        const pairs = customNames(owner).map((name) => {
          const key = lit(`$."${name}"`)
          return `${lit(name)}, ${t}.custom_field_data -> ${key}`
        })
        return `jsonb_object(${pairs.join(', ')})`
      },
      alias,
      uses,
    }
  }
}

const imageFact = (fact: string) => (v: string) => `(upload_facts(${v}) ->> ${lit(fact)})`
/** SQL of the members of objects that are made of one value. */
const PartSql: Readonly<Record<string, Readonly<Record<string, (v: string) => string>>>> = {
  ContentTypeType: {
    id: (v) => `cast(${typeId(v)} as text)`,
    app_label: (v) => `substr(${v}, 1, instr(${v}, '.') - 1)`,
    model: (v) => `substr(${v}, instr(${v}, '.') + 1)`,
  },
  DjangoImageType: {
    name: (v) => v,
    path: (v) => v,
    url: (v) => `'/media/' || path_in_link(${v})`,
    size: imageFact('size'),
    width: imageFact('width'),
    height: imageFact('height'),
  },
  DjangoModelType: { pk: (v) => `cast(${v} as text)` },
  IPAddressFamilyType: { value: (v) => v, label: (v) => `'IPv' || ${v}` },
}
const partOf = (type: string, part: string, value: string): string => PartSql[type]![part]!(value)
