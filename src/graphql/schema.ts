import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  type GraphQLType,
  GraphQLUnionType,
} from 'graphql'
import type { AnyModel } from '../declare/model.ts'
import { modelNamed } from '../engine/catalog.ts'
import { comparisonsOf } from './comparisons.ts'
import { enumValues } from './enums.ts'
import { type Input, inputs, parts, TreeMatches } from './inputs.ts'
import { type Member, membersOf, typeOf, type Union } from './members.ts'
import { filterName, graphicOf, rootName, shownModels, typeName } from './names.ts'
import { scalars } from './scalars.ts'

const Pages = 'OffsetPaginationInput'

/** Types by name, made when another type or a query first asks for them. */
class Types {
  readonly #made = new Map<string, GraphQLNamedType>()
  readonly #texts = new Map<string, GraphQLType>()
  readonly #makers = new Map<string, () => GraphQLNamedType>()

  constructor() {
    for (const type of [GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString, ...scalars()])
      this.#made.set(type.name, type)
    for (const [name, input] of Object.entries(inputs)) this.#makers.set(name, () => this.#input(name, input))
    for (const [name, members] of Object.entries(parts)) this.#makers.set(name, () => this.#part(name, members))
    for (const m of shownModels()) {
      this.#makers.set(typeName(m), () => this.#object(m))
      this.#makers.set(filterName(m), () => this.#filter(filterName(m), () => this.#compared(m)))
    }
    this.#makers.set('ContentTypeFilter', () => this.#filter('ContentTypeFilter', () => TypeMembers))
    this.#makers.set('TreeNodeMatch', () =>
      this.#enum(
        'TreeNodeMatch',
        TreeMatches.map((each) => [each, each]),
      ),
    )
  }

  /** The type that a text of the schema's language names: `[String!]!`. */
  of(text: string): GraphQLType {
    const known = this.#texts.get(text)
    if (known) return known
    const made = text.endsWith('!')
      ? new GraphQLNonNull(this.of(text.slice(0, -1)) as never)
      : text.startsWith('[')
        ? new GraphQLList(this.of(text.slice(1, -1)) as never)
        : this.named(text)
    this.#texts.set(text, made)
    return made
  }

  named(name: string): GraphQLNamedType {
    const found = this.find(name)
    if (!found) throw new Error(`no type ${name}`)
    return found
  }

  /** The type of a name, if it is known without looking into others. */
  find(name: string): GraphQLNamedType | undefined {
    const known = this.#made.get(name)
    if (known) return known
    const made = this.#makers.get(name)?.() ?? this.#ofValues(name)
    if (made) this.#made.set(name, made)
    return made
  }

  union({ name, models }: Union): void {
    if (this.#made.has(name)) return
    const types = () => models.map((each) => this.named(typeName(modelNamed(each))) as GraphQLObjectType)
    this.#made.set(name, new GraphQLUnionType({ name, types }))
  }

  #ofValues(name: string): GraphQLNamedType | undefined {
    const values = enumValues(name)
    if (values) return this.#enum(name, values)
    const base = name.replace(/BaseFilterLookup$/, '')
    const small = base.charAt(0).toLowerCase() + base.slice(1)
    const own = enumValues(base) || base.endsWith('BaseFilterLookup') ? base : small
    if (base === name || !(base.endsWith('BaseFilterLookup') || enumValues(own))) return undefined
    return this.#input(name, { members: { exact: own, is_null: 'Boolean', in_list: `[${own}!]` } })
  }

  #enum(name: string, values: readonly (readonly [string, string | number])[]): GraphQLEnumType {
    return new GraphQLEnumType({ name, values: Object.fromEntries(values.map(([key, value]) => [key, { value }])) })
  }

  #input(name: string, { members, isOne, preset }: Input): GraphQLInputObjectType {
    return new LateInput({
      name,
      ...(isOne ? { isOneOf: true } : {}),
      fields: () => this.#inputFields(members, preset),
    })
  }

  #inputFields(members: Input['members'], preset: Input['preset'] = {}): GraphQLInputFieldConfigMap {
    const fields: GraphQLInputFieldConfigMap = {}
    for (const [name, type] of Object.entries(members))
      fields[name] = {
        type: this.of(type) as never,
        ...(Object.hasOwn(preset, name) ? { default: { value: preset[name] } } : {}),
      }
    return fields
  }

  #part(name: string, members: Readonly<Record<string, string>>): GraphQLObjectType {
    const fields = () =>
      Object.fromEntries(Object.entries(members).map(([key, type]) => [key, { type: this.of(type) as never }]))
    return new LateObject({ name, fields })
  }

  #object(m: AnyModel): GraphQLObjectType {
    const fields = (): GraphQLFieldConfigMap<unknown, unknown> => {
      const made: GraphQLFieldConfigMap<unknown, unknown> = {}
      for (const [name, member] of membersOf(m)) made[name] = this.#field(member)
      return made
    }
    return new LateObject({ name: typeName(m), fields })
  }

  #field(member: Member): GraphQLFieldConfig<unknown, unknown> {
    if (member.as === 'any' || member.as === 'anys') this.union(member.union)
    const type = this.of(typeOf(member)) as never
    if (member.as === 'many' && !member.isWhole) return { type, args: this.args(member.model) }
    return member.as === 'parts' && member.type.startsWith('[') ? { type, args: this.#pages() } : { type }
  }

  #pages() {
    return { pagination: { type: this.named(Pages) as GraphQLInputObjectType } }
  }

  /** Arguments of a list. */
  args(m: AnyModel) {
    return { filters: { type: this.named(filterName(m)) as GraphQLInputObjectType }, ...this.#pages() }
  }

  #compared(m: AnyModel): Record<string, string> {
    return Object.fromEntries([...comparisonsOf(m)].map(([name, { input }]) => [name, input]))
  }

  #filter(name: string, members: () => Readonly<Record<string, string>>): GraphQLInputObjectType {
    const fields = () => this.#inputFields({ ...members(), AND: name, OR: name, NOT: name, DISTINCT: 'Boolean' })
    return new LateInput({ name, fields })
  }
}

const TypeMembers = { id: 'IDComparisonFilterLookup', app_label: 'StrFilterLookup', model: 'StrFilterLookup' }

/**
 * True while a schema is made that shall not look into its types: a query needs a few of them, and all are ten times
 * the work.
 */
let isShallow = false
class LateObject extends GraphQLObjectType {
  override getFields(): ReturnType<GraphQLObjectType['getFields']> {
    return isShallow ? {} : super.getFields()
  }
}
class LateInput extends GraphQLInputObjectType {
  override getFields(): ReturnType<GraphQLInputObjectType['getFields']> {
    return isShallow ? {} : super.getFields()
  }
}

/** A schema whose types are looked into when a query names them. */
class LateSchema extends GraphQLSchema {
  readonly #types: Types
  readonly #map: ReturnType<GraphQLSchema['getTypeMap']>

  constructor(types: Types, query: GraphQLObjectType) {
    isShallow = true
    try {
      super({ query, assumeValid: true })
    } finally {
      isShallow = false
    }
    this.#types = types
    this.#map = new Proxy(super.getTypeMap(), {
      getOwnPropertyDescriptor: (map, name) => {
        const type = this.getType(String(name))
        if (type) map[String(name)] = type
        return Reflect.getOwnPropertyDescriptor(map, name)
      },
    })
  }

  override getType(name: string): GraphQLNamedType | undefined {
    return super.getTypeMap()[name] ?? this.#types.find(name) ?? wholeSchema().getType(name)
  }

  override getTypeMap(): ReturnType<GraphQLSchema['getTypeMap']> {
    return this.#map ?? super.getTypeMap()
  }
}

const roots = new Map<string, { model: AnyModel; isList: boolean }>()
let types: Types | undefined
let query: GraphQLObjectType | undefined
let late: GraphQLSchema | undefined
let whole: GraphQLSchema | undefined

function queryType(): GraphQLObjectType {
  types ??= new Types()
  query ??= new GraphQLObjectType({ name: 'Query', fields: rootFields(types) })
  return query
}

function rootFields(of: Types): GraphQLFieldConfigMap<unknown, unknown> {
  const fields: GraphQLFieldConfigMap<unknown, unknown> = {}
  for (const m of shownModels()) {
    if (graphicOf(m).root === false) continue
    const name = rootName(m)
    const one = of.of(`${typeName(m)}!`) as never
    fields[name] = { type: one, args: { id: { type: of.of('ID!') as never } } }
    fields[`${name}_list`] = { type: of.of(`[${typeName(m)}!]!`) as never, args: of.args(m) }
    roots.set(name, { model: m, isList: false })
    roots.set(`${name}_list`, { model: m, isList: true })
  }
  return fields
}

/** The schema for queries, made of the declarations at the first of them. */
export function schema(): GraphQLSchema {
  const root = queryType()
  late ??= new LateSchema(types!, root)
  return late
}

/** The same with all its types, for those who ask what there is. */
export function wholeSchema(): GraphQLSchema {
  whole ??= new GraphQLSchema({ query: queryType(), assumeValid: true })
  return whole
}

/** What a member of `Query` gives: objects of a model; undefined for those of introspection. */
export const rootOf = (name: string): { model: AnyModel; isList: boolean } | undefined => roots.get(name)
