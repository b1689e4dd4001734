import type { Field, Row } from '../fields/field.ts'
import { allModels, fieldsOf, genericPrefix, memo, modelNamed, models } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { isMark } from './merge.ts'

/** A reference of a row to another, by the columns that hold it. */
export interface Reference {
  field: string
  columns: readonly string[]
  /** Columns of fields that mean nothing without it. */
  beside: readonly string[]
  isNullable: boolean
  /** Whether the row goes with what it refers to, keeps it, or is emptied. */
  onDelete: 'cascade' | 'set null' | 'protect' | 'restrict'
  to: AnyModel
  id: number
}

/** Columns by which a model keeps what it refers to from being deleted: a provider network that circuits end at. */
const keepersOf = memo((m: AnyModel): readonly { column: string; to: AnyModel }[] =>
  fieldsOf(m).flatMap(([name, { target }]) =>
    name.startsWith('_') && target?.onDelete === 'protect'
      ? [{ column: `${name}_id`, to: modelNamed(target.model) }]
      : [],
  ),
)

/** What a row of a model refers to by choice of somebody; what it keeps of others is left out. */
export function referencesIn(m: AnyModel, row: Row): Reference[] {
  const found: Reference[] = []
  for (const [field, declared] of fieldsOf(m)) {
    const { target, generic } = declared as Field
    if (target && !field.startsWith('_')) {
      const column = `${field}_id`
      const id = row[column] as number | null | undefined
      if (id == null || isMark(m, column)) continue
      const isNullable = declared.columns(field)[column]?.null === true
      const beside = (target.beside ?? []).flatMap((name) => Object.keys(m.fields[name].columns(name)))
      const to = modelNamed(target.model)
      found.push({ field, columns: [column], beside, isNullable, onDelete: target.onDelete, to, id })
    }
    if (generic && generic.onDelete === 'cascade') {
      const as = genericPrefix(declared, field)
      const columns = [`${as}_type`, `${as}_id`]
      const [type, id] = columns.map((name) => row[name]) as [string | null, number | null]
      const to = type ? models[type] : undefined
      if (!to || id == null) continue
      const specs = declared.columns(field)
      const isNullable = columns.every((name) => specs[name]?.null === true)
      const onDelete = keepersOf(m).some((each) => each.to === to && row[each.column] === id) ? 'protect' : 'cascade'
      found.push({ field, columns, beside: [], isNullable, onDelete, to, id })
    }
  }
  return found
}

/** What a row has without one thing that stands beside a reference, or without that, from the least on. */
export function waysWithout({ columns, beside }: Reference, row: Row): Row[] {
  const given = beside.filter((name) => row[name] !== null)
  const emptied = (names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, null]))
  return [...given.map((name) => emptied([name])), emptied([...columns, ...given])]
}

/**
 * The reference of a row that is an end of something (a cable) to what it is an end of; undefined for any other model.
 */
export const ownerOfEnd = memo((m: AnyModel): { field: string; owner: AnyModel } | undefined => {
  for (const [field, { target }] of fieldsOf(m))
    if (target?.onDelete === 'cascade' && modelNamed(target.model).fields.a_terminations)
      return { field, owner: modelNamed(target.model) }
  return undefined
})

/**
 * What rows of a model that is no object of its own are parts of, by field: a port mapping of its ports, and not of the
 * device that these are parts of in turn.
 */
export const ownersOf = memo((m: AnyModel): readonly { field: string; owner: AnyModel }[] => {
  const cascading = (of: AnyModel) =>
    fieldsOf(of).flatMap(([field, { target }]) =>
      target?.onDelete === 'cascade' ? [{ field, owner: modelNamed(target.model) }] : [],
    )
  const all = m.internal ? cascading(m) : []
  return all.filter(({ owner }) => !all.some((other) => cascading(other.owner).some((each) => each.owner === owner)))
})

/** The model of the ends of something (a cable); undefined for what has none. */
export const endModelOf = memo((m: AnyModel): AnyModel | undefined =>
  m.fields.a_terminations ? allModels.find((each) => ownerOfEnd(each)?.owner === m) : undefined,
)
