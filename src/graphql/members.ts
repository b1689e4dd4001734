import type { Field } from '../fields/field.ts'
import type { SqlContext } from '../fields/context.ts'
import { deferredParts } from '../fields/generic.ts'
import { lit, q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { fieldsOf, genericPrefix, genericTargets, memo, modelNamed, type Relation } from '../engine/catalog.ts'
import { graphicOf, modelOfType, shownModels, typeName } from './names.ts'
import { treeMembers } from './tree.ts'
import { type Word, wayOf, wordsOf } from './words.ts'
import { addTo } from '../lib/lists.ts'

/**
 * Rows of a list: what stands in FROM after the alias of the model, and the condition that makes them this object's.
 */
interface Rows {
  readonly joins: string
  readonly where: string
}

/** One member of an object, and the SQL of it on row alias `t`. */
export type Member =
  /** A value of a scalar type. */
  | { as: 'value'; type: string; sql: (t: string, c: SqlContext) => string }
  /** An object that no model stands behind (`IPAddressFamilyType`), made of one value; null where that is. */
  | { as: 'parts'; type: string; of: (t: string) => string }
  /** An object of a model. */
  | { as: 'one'; model: AnyModel; id: (t: string, c: SqlContext) => string; isNullable: boolean }
  /** Objects of a model; a whole list takes neither filters nor pages. */
  | { as: 'many'; model: AnyModel; rows: (t: string, a: string, c: SqlContext) => Rows; isWhole: boolean }
  /** An object of one of several models. */
  | { as: 'any'; union: Union; type: (t: string) => string; id: (t: string) => string; isNullable: boolean }
  /** Objects of several models, in the order of the rows of `from`, that have a type and an id. */
  | { as: 'anys'; union: Union; list: (t: string, c: SqlContext) => { from: string; type: string; id: string } }

/** A union of models, and what the schema calls it. */
export interface Union {
  readonly name: string
  readonly models: readonly string[]
}

/** Members of a model's type by name. */
export const membersOf = memo((m: AnyModel): ReadonlyMap<string, Member> => {
  const members = new Map<string, Member>(derived(m))
  for (const word of wordsOf(graphicOf(m).members)) {
    if (word.isAway) members.delete(word.name)
    else members.set(word.name, said(m, word))
  }
  return members
})

function derived(m: AnyModel): [string, Member][] {
  const members: [string, Member][] = [
    ['id', { as: 'value', type: 'ID!', sql: (t) => `cast(${t}.id as text)` }],
    ['class_type', { as: 'value', type: 'String!', sql: () => lit(m.objectName) }],
    ['display', { as: 'value', type: 'String!', sql: (t, c) => displaySql(m, t, c) }],
    ...(m.tree ? treeMembers(m) : []),
    ...ofFeatures(m),
  ]
  for (const [name, field] of fieldsOf(m)) {
    if ((field.options.hidden && !field.options.graphed) || field.options.writeOnly) continue
    if (m.tree && name === '_depth') continue // as `level`
    const member = ofField(m, name, field)
    if (member) members.push([field.graphql?.as ?? name, member])
    if (field.userDefined) members.push([name, { as: 'value', type: 'JSON!', sql: (_t, c) => c.customFields(_t) }])
  }
  for (const [name, way] of backwards(m)) members.push([name, related([way])])
  return members
}

/** A text that is never null. */
const displaySql = (m: AnyModel, t: string, c: SqlContext): string =>
  `coalesce(${typeof m.display === 'function' ? m.display(t, c) : `${t}.${q(m.display)}`}, '')`

/** Lists that a feature of the model brings: their names, and the relations that lead to them. */
const Features: readonly (readonly [feature: string, name: string, relation: string, isWhole: boolean])[] = [
  ['change_logging', 'changelog', 'core.objectchange.changed_object', true],
  ['journaling', 'journal_entries', 'journal_entries', true],
  ['image_attachments', 'image_attachments', 'images', true],
  ['contacts', 'contacts', 'contacts', false],
]
const ofFeatures = (m: AnyModel): [string, Member][] =>
  Features.filter(([feature]) => m.features?.includes(feature)).map(([, name, relation, isWhole]) => [
    name,
    { ...related(wayOf(m, relation)!), ...(isWhole ? { isWhole } : {}) } as Member,
  ])

let known: ReadonlyMap<string, [string, Relation][]> | undefined
/** References from other models that give the relation back a name of its own. */
function backwards(m: AnyModel): [string, Relation][] {
  known ??= allBackwards()
  return known.get(m.name) ?? []
}

function allBackwards(): Map<string, [string, Relation][]> {
  const found = new Map<string, [string, Relation][]>()
  for (const from of shownModels())
    for (const [name, field] of fieldsOf(from)) {
      const { model, related: as } = field.target ?? field.links ?? {}
      if (!model || !as || as === '*') continue
      const to = modelNamed(model)
      const [relation] = to.fields[as] ? [] : (wayOf(to, `${from.name}.${name}`) ?? [])
      if (relation) addTo(found, model, [as, relation])
    }
  return found
}

/** What a model says of a member itself. */
function said(m: AnyModel, word: Word): Member {
  const { name, path, type } = word
  if (path === 'none') return nothing(type ?? 'JSON')
  const member = found(m, name, path ?? name)
  if (!member) throw new Error(`${m.name} has no member ${name}`)
  return type === undefined ? member : typed(member, type)
}

function found(m: AnyModel, name: string, path: string): Member | undefined {
  if (path.includes('|')) return ofField(m, name, m.fields[name], path.split('|'))
  const field = m.fields[path] as Field | undefined
  if (field) return ofField(m, path, field)
  for (const [own, each] of fieldsOf(m)) {
    const as = each.generic && genericPrefix(each, own)
    if (as && path === `${as}_type`) return { as: 'parts', type: 'ContentTypeType', of: (t) => `${t}.${q(path)}` }
    if (as && path === `${as}_id`) return { as: 'value', type: 'Int', sql: (t) => `${t}.${q(path)}` }
  }
  const way = wayOf(m, path)
  if (way) return related(way)
  return { as: 'value', type: 'String!', sql: (t) => `cast(${t}.${q(path)} as text)` }
}

/** The member with another type: nullable or not, whole or in pages, by its key alone. */
function typed(member: Member, type: string): Member {
  const isNullable = !type.endsWith('!')
  switch (member.as) {
    case 'value':
      return { ...member, type, sql: type === 'String!' ? (t, c) => `coalesce(${member.sql(t, c)}, '')` : member.sql }
    case 'parts':
      return { ...member, type, ...(type.startsWith('DjangoModelType') ? { of: (t) => typeId(member.of(t)) } : {}) }
    case 'one':
      return type.startsWith('DjangoModelType')
        ? { as: 'parts', type, of: (t) => member.id(t, undefined as never) }
        : { ...member, isNullable }
    case 'many':
      return { ...member, isWhole: type === 'whole' }
    case 'any':
      return { ...member, isNullable, union: { ...member.union, name: type.replace('!', '') } }
    case 'anys':
      return { ...member, union: { ...member.union, name: type } }
  }
}

/** SQL of the id of the object type of an "app.model" text. */
export const typeId = (type: string): string =>
  `(select o.id from core_objecttype o where o.app_label || '.' || o.model = ${type})`

/** A member that the schema has and no object does. */
function nothing(type: string): Member {
  const model = modelOfType(type.replace(/[[\]!]/g, ''))
  if (!model) return { as: 'value', type, sql: () => (type === 'JSON!' ? "json('{}')" : 'null') }
  return type.startsWith('[')
    ? { as: 'many', model, rows: () => ({ joins: '', where: 'false' }), isWhole: false }
    : { as: 'one', model, id: () => 'null', isNullable: true }
}

/** The member that a field is; undefined where GraphQL does not show it. */
function ofField(m: AnyModel, name: string, field: Field, among?: readonly string[]): Member | undefined {
  const isNullable = field.options.nullable === true
  if (field.target) {
    const model = modelNamed(field.target.model)
    if (field.options.hidden && field.options.graphed)
      return { as: 'parts', type: 'DjangoModelType', of: (t) => `${t}.${q(`${name}_id`)}` }
    return { as: 'one', model, id: (t) => `${t}.${q(`${name}_id`)}`, isNullable }
  }
  if (field.links || field.sharedLinks || field.reverse) {
    const way = wayOf(m, name)
    return way && related(way)
  }
  if (field.generic) {
    const as = genericPrefix(field, name)
    const column = (suffix: string) => (t: string) => `${t}.${q(`${as}${suffix}`)}`
    const union = { name: unionName(m, name), models: among ?? [...genericTargets(field.generic)] }
    return typeof field.generic.models === 'string' && !among
      ? undefined
      : { as: 'any', union, type: column('_type'), id: column('_id'), isNullable }
  }
  return ofObjects(name, field) ?? ofValue(name, field)
}

const unionName = (m: AnyModel, field: string): string =>
  `${m.objectName}${field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Type`

function ofObjects(name: string, field: Field): Member | undefined {
  const { object, objects, listed } = field
  if (object) return { as: 'one', model: modelNamed(object.model), id: object.id, isNullable: true }
  if (objects)
    return {
      as: 'anys',
      union: objects,
      list: (t, c) => {
        const j = c.alias()
        const [[, value] = ['', "'[]'"]] = field.output(t, name, c)
        return { from: `json_each(coalesce(${value}, '[]')) ${j}`, ...deferredParts(`${j}.value`) }
      },
    }
  if (!listed) return undefined
  const through = modelNamed(listed.through)
  return {
    as: 'anys',
    union: { name: unionName(through, listed.generic), models: listed.models },
    list: (t, c) => {
      const a = c.alias()
      return {
        from: `(select * from ${q(through.table)} where ${listed.mine(q(through.table), `${t}.id`)}
          order by ${q(listed.order)}, id) ${a}`,
        type: `${a}.${q(`${listed.generic}_type`)}`,
        id: `${a}.${q(`${listed.generic}_id`)}`,
      }
    },
  }
}

/** Types of objects that are made of one value. */
const PartTypes = ['ContentTypeType', 'DjangoImageType', 'DjangoModelType', 'IPAddressFamilyType']

function ofValue(name: string, field: Field): Member | undefined {
  const { type, sql, as } = field.graphql ?? {}
  if (!type) return undefined
  const isColumn = (as ?? name) in field.columns(name)
  const value = (t: string) => sql?.(t, name) ?? `${t}.${q(as ?? name)}`
  if (as) return { as: 'value', type, sql: (t) => `json(${value(t)})` }
  if (!isColumn && !sql) return { as: 'value', type, sql: (t, c) => field.output(t, name, c)[0]?.[1] ?? 'null' }
  return PartTypes.some((each) => type.includes(each))
    ? { as: 'parts', type, of: value }
    : { as: 'value', type, sql: value }
}

/** What a relation leads to: the objects, or the only one. */
function related(way: readonly Relation[]): Member {
  const [step] = way as [Relation]
  if (way.length > 1) throw new Error('a member is one relation away')
  const { model } = step
  const typedRow = (a: string) => (step.type ? `${a}.${q(step.type.column)} = ${lit(step.type.value)} and ` : '')
  if (step.way === 'to')
    return {
      as: 'one',
      model,
      id: (t) => (step.type ? `iif(${typedRow(t)}true, ${t}.${q(step.column)}, null)` : `${t}.${q(step.column)}`),
      isNullable: true,
    }
  if (step.way === 'link')
    return {
      as: 'many',
      model,
      rows: (t, a, c) => {
        const l = c.alias()
        return {
          joins: `join ${q(step.table)} ${l} on ${l}.${q(step.to)} = ${a}.id`,
          where: `${typedRow(l)}${l}.${q(step.from)} = ${t}.id`,
        }
      },
      isWhole: false,
    }
  const by = model.fields[step.column.replace(/_id$/, '')] as Field | undefined
  if (by?.target?.unique)
    return {
      as: 'one',
      model,
      id: (t, c) => {
        const a = c.alias()
        return `(select ${a}.id from ${q(model.table)} ${a} where ${a}.${q(step.column)} = ${t}.id)`
      },
      isNullable: true,
    }
  return {
    as: 'many',
    model,
    rows: (t, a) => ({ joins: '', where: `${typedRow(a)}${a}.${q(step.column)} = ${t}.id` }),
    isWhole: false,
  }
}

/** The type of a member as the schema says it. */
export function typeOf(member: Member): string {
  switch (member.as) {
    case 'value':
    case 'parts':
      return member.type
    case 'one':
      return `${typeName(member.model)}${member.isNullable ? '' : '!'}`
    case 'many':
      return `[${typeName(member.model)}!]!`
    case 'any':
      return `${member.union.name}${member.isNullable ? '' : '!'}`
    case 'anys':
      return `[${member.union.name}!]!`
  }
}
