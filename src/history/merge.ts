import { stringifyExact } from '../lib/exact-json.ts'
import type { Field, Row, Stored } from '../fields/field.ts'
import { fieldsOf, memo, typesWith } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { CabledModels } from '../rules/cabled-fields.ts'
import { same, type Touch } from './changes.ts'
import { customColumn, customOf } from './custom-values.ts'

/** Where two changes of the same field do not agree: what was wanted, what it was taken for, what it is. */
export interface Difference {
  kind: 'changed' | 'deleted'
  field: string | null
  wanted: unknown
  left: unknown
  now: unknown
}

/** Says of a difference whether what is wanted is to be done all the same. */
type Forcing = (field: string | null) => boolean

const Marks = ['cable_id', 'cable_end', 'cable_connector', 'cable_positions']
const Opposite = ['peer_type', 'peers']
const Kept = ['created', 'last_updated', 'custom_field_data']

/** Columns of references that are worked out from those of the rows that they name. */
const pointers = memo((m: AnyModel): readonly string[] =>
  fieldsOf(m).flatMap(([name, { target }]) => (target?.points ? [`${name}_id`] : [])),
)

/**
 * Whether a column is filled by the cable that ends at the object, or, of an end, by what is at the other ends; or by
 * a row that refers to the object.
 */
export const isMark = (m: AnyModel, column: string): boolean =>
  ((CabledModels as readonly string[]).includes(m.name) && Marks.includes(column)) ||
  (m.name === 'dcim.cabletermination' && Opposite.includes(column)) ||
  pointers(m).includes(column)

/** The field of each column that people decide on; others are worked out from them, or kept by the server. */
export const decided = memo((m: AnyModel): ReadonlyMap<string, string> => {
  return new Map(
    fieldsOf(m)
      .filter(([, { counter, options }]) => !counter && !options.prepared)
      .flatMap(([name, field]) =>
        Object.keys(field.columns(name))
          .filter((column) => field.derived !== undefined || !column.startsWith('_'))
          .filter((column) => !Kept.includes(column) && !isMark(m, column))
          .map((column) => [column, field.options.of ?? name] as const),
      ),
  )
})

/** Columns of people's decisions in which two states of a row differ. */
export const columnsThatDiffer = (m: AnyModel, a: Row, b: Row): string[] => [
  ...[...decided(m).keys()].filter((column) => !same(a[column] ?? null, b[column] ?? null)),
  ...(m.fields.custom_fields && a.custom_field_data !== b.custom_field_data ? ['custom_field_data'] : []),
]

/** Names of fields that the server fills in where clients write the others: nobody decides on them. */
const filled = memo(
  (m: AnyModel): ReadonlySet<string> =>
    new Set(m.internal || m.methods ? [] : fieldsOf(m).flatMap(([name, field]) => (field.readOnly ? [name] : []))),
)

/** The reference that gives a field its value, of each such field. */
const givers = memo(
  (m: AnyModel): ReadonlyMap<string, string> =>
    new Map(fieldsOf(m).flatMap(([giver, { target }]) => (target?.gives ?? []).map((name) => [name, giver] as const))),
)
/** The reference that gives a field of a row its value; undefined where people write it. */
export const giverOf = (m: AnyModel, row: Row, field: string): string | undefined => {
  const giver = givers(m).get(field)
  return giver && (row[`${giver}_id`] ?? null) !== null ? giver : undefined
}

/** Names of the fields in which two states of a row differ. */
export function fieldsThatDiffer(m: AnyModel, a: Row, b: Row): Set<string> {
  const found = new Set<string>()
  for (const [column, name] of decided(m)) if (!same(a[column] ?? null, b[column] ?? null)) found.add(name)
  if (m.fields.custom_fields && a.custom_field_data !== b.custom_field_data) found.add('custom_fields')
  return found
}

/** Fields that are decided as one, under the name of the first, where both sides differ in one of them: `by`. */
interface Together {
  by: string
  fields: readonly string[]
}
/** What a reference gives a meaning (a unit of a rack), and numbers with what they are measured in. */
const together = memo((m: AnyModel): readonly Together[] => {
  const all = fieldsOf(m)
  const measures = all.filter(([, { options }]) => options.unit !== undefined && options.unit in m.fields)
  return [
    ...all.flatMap(([by, { target }]) => (target?.beside ? [{ by, fields: [by, ...target.beside] }] : [])),
    ...[...Map.groupBy(measures, ([, { options }]) => options.unit!)].map(([by, numbers]) => ({
      by,
      fields: [...numbers.map(([name]) => name), by],
    })),
  ]
})

/** The columns of each field that people decide on, those last that others may give their values. */
const inOrder = memo((m: AnyModel): ReadonlyMap<string, readonly string[]> => {
  const all = [...Map.groupBy(decided(m), ([, name]) => name)]
  const ordered = [true, false].flatMap((isFirst) => all.filter(([name]) => givers(m).has(name) !== isFirst))
  return new Map(ordered.map(([name, pairs]) => [name, pairs.map(([column]) => column)]))
})

/** What stands instead of a secret. */
const Hidden = '•'

/** The value of a field for people: that of its first column, a secret not at all. */
export const shownOf = (m: AnyModel, name: string, row: Row): unknown => {
  if ((m.fields[name] as Field).options.secret) return Hidden
  const column = Object.keys(m.fields[name].columns(name))[0]!
  const value = row[column]
  return Buffer.isBuffer(value) ? value.toString('hex') : (value ?? null)
}

const alike = (a: unknown, b: unknown): boolean => stringifyExact(a ?? null) === stringifyExact(b ?? null)

/**
 * A row as it would be without what some steps did to it: their touches are taken back from the last to the first,
 * field by field, custom fields by name. Adds to `differences` what somebody else changed since.
 */
export function without(
  m: AnyModel,
  touches: readonly Touch[],
  now: Row | null,
  forced: Forcing,
  differences: Difference[],
): Row | null {
  let row = now && { ...now }
  for (const { before, after } of touches.toReversed()) {
    if (before === null && after === null) continue
    if (after === null) row ??= { ...before! }
    else if (row === null) {
      if (before !== null && fieldsThatDiffer(m, before, after).size && !forced(null))
        differences.push({ kind: 'deleted', field: null, wanted: null, left: null, now: null })
    } else if (before === null) {
      for (const name of fieldsThatDiffer(m, row, after))
        if (!forced(name) && !filled(m).has(name))
          differences.push({
            kind: 'changed',
            field: name,
            wanted: null,
            left: name === 'custom_fields' ? customOf(after) : shownOf(m, name, after),
            now: name === 'custom_fields' ? customOf(row) : shownOf(m, name, row),
          })
      row = null
    } else takeBack(m, row, before, after, forced, differences)
  }
  return row
}

function takeBack(m: AnyModel, row: Row, before: Row, after: Row, forced: Forcing, differences: Difference[]): void {
  const [disputed, kept] = [new Set<string>(), new Set<string>()]
  const changed = [...decided(m)].filter(([column]) => !same(before[column] ?? null, after[column] ?? null))
  for (const [column, name] of changed)
    if (!same(row[column], after[column]) && !same(row[column], before[column]) && !forced(name))
      (filled(m).has(name) ? kept : disputed).add(name)
  for (const name of disputed)
    differences.push({
      kind: 'changed',
      field: name,
      wanted: shownOf(m, name, before),
      left: shownOf(m, name, after),
      now: shownOf(m, name, row),
    })
  for (const [column, name] of changed)
    if (!disputed.has(name) && !kept.has(name) && column in row) row[column] = (before[column] ?? null) as Stored
  if (!m.fields.custom_fields || before.custom_field_data === after.custom_field_data) return
  if (row.custom_field_data === after.custom_field_data) row.custom_field_data = before.custom_field_data ?? '{}'
  else takeBackCustom(row, customOf(before), customOf(after), forced, differences)
}

function takeBackCustom(
  row: Row,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  forced: Forcing,
  differences: Difference[],
): void {
  const now = customOf(row)
  let isOther = false
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (alike(before[key], after[key]) || alike(now[key], before[key])) continue
    const field = customColumn(key)
    if (!alike(now[key], after[key]) && !forced(field) && !forced('custom_fields')) {
      differences.push({
        kind: 'changed',
        field,
        wanted: before[key] ?? null,
        left: after[key] ?? null,
        now: now[key] ?? null,
      })
      continue
    }
    if (key in before) now[key] = before[key]
    else delete now[key]
    isOther = true
  }
  if (isOther) row.custom_field_data = stringifyExact(now)
}

/**
 * Whether two states of a row differ in what people decide on; the order of custom fields, and those without a value,
 * are no difference.
 */
export function rowsDiffer(m: AnyModel, a: Row, b: Row): boolean {
  const found = fieldsThatDiffer(m, a, b)
  if (found.size !== 1 || !found.has('custom_fields')) return found.size > 0
  const [was, is] = [customOf(a), customOf(b)]
  return [...Object.keys(was), ...Object.keys(is)].some((name) => !alike(was[name], is[name]))
}

/** Whether two states of a row differ in having some custom fields at all, be it without a value. */
export function keysDiffer(a: Row, b: Row, names: ReadonlySet<string>): boolean {
  const [was, is] = [customOf(a), customOf(b)]
  return [...names].some((name) => name in was !== name in is)
}

/** A field that both sides changed to different values, and whose counts; undefined where nobody has said. */
export interface Disagreement {
  field: string
  /** Others that are decided with it. */
  beside: readonly string[]
  parted: unknown
  ours: unknown
  theirs: unknown
  side: Side | undefined
}
export const Sides = ['ours', 'theirs'] as const
export type Side = (typeof Sides)[number]

/**
 * A row of this side with what the other side changed since both parted, field by field, custom fields by name. `base`:
 * the row as it was then; null where both made one. Where both changed a field, `take` says whose value counts; adds to
 * `disputed`. `fate`: of values of custom fields that one side took away.
 */
export function mergeRows(
  m: AnyModel,
  { base, theirs, ours }: { base: Row | null; theirs: Row; ours: Row },
  take: (field: string) => Side | undefined,
  disputed: Disagreement[],
  fate: (name: string) => 'goes' | 'stays' | undefined,
): Row {
  const merged = { ...ours }
  const columns = inOrder(m)
  const differ = (a: Row | null, b: Row, names: readonly string[]) =>
    // An older state may lack a column.
    names.some((name) => (a === null || name in a) && !same(a?.[name] ?? null, b[name] ?? null))
  for (const field of columns.keys()) {
    if ((m.fields[field] as Field).sum) continue // `mergeSums` sees what is summed up
    const isOne = ({ by, fields }: Together) =>
      fields.includes(field) && !giverOf(m, merged, by) && differ(theirs, ours, columns.get(by)!)
    const { fields } = together(m).find(isOne) ?? { fields: [field] }
    if (fields[0] !== field) continue
    const names = fields.flatMap((name) => columns.get(name)!)
    const shown = (row: Row | null) => row && shownOf(m, field, row)
    const beside = fields.slice(1).filter((name) => differ(theirs, ours, columns.get(name)!))
    const values = () => ({ beside, parted: shown(base), ours: shown(ours), theirs: shown(theirs) })
    const giver = giverOf(m, merged, field)
    if (giver) {
      // It follows from what is referred to, and what somebody wrote without that is told of.
      for (const [row, side] of [
        [ours, 'theirs'],
        [theirs, 'ours'],
      ] as const)
        if (!giverOf(m, row, field) && differ(base, row, names) && differ(theirs, ours, names))
          disputed.push({ field, ...values(), side })
      const [isOurs, isTheirs] = [ours, theirs].map((row) => row[`${giver}_id`] === merged[`${giver}_id`])
      if (!isOurs || (isTheirs && !differ(base, ours, names)))
        for (const name of names) if (name in ours) merged[name] = theirs[name] ?? null
      continue
    }
    if (!differ(theirs, ours, names) || !differ(base, theirs, names)) continue
    if (differ(base, ours, names)) {
      const [name] = names as [string]
      const set = (m.fields[field] as Field).isSet && base ? mergeSets(base[name], ours[name], theirs[name]) : undefined
      if (set !== undefined) {
        merged[name] = set
        continue
      }
      const side = take(field)
      disputed.push({ field, ...values(), side })
      if (side !== 'theirs') continue
    }
    for (const name of names) if (name in ours) merged[name] = theirs[name] ?? null
  }
  if (m.fields.custom_fields && theirs.custom_field_data !== ours.custom_field_data)
    merged.custom_field_data = mergeCustom(base ?? {}, theirs, ours, take, disputed, fate)
  return merged
}

/**
 * A set with what each side added and without what either took; undefined where one of them, or the result, is empty,
 * which may mean another thing than a set of none.
 */
function mergeSets(...states: (Stored | undefined)[]): string | undefined {
  const [was, here, there] = states.map(membersOf) as [string[], string[], string[]]
  const added = [...here, ...there].filter((each) => !was.includes(each))
  const left = was.filter((each) => here.includes(each) && there.includes(each))
  return here.length && there.length && left.length + added.length ? setOf([...left, ...added]) : undefined
}

/** What a stored set holds; and what is stored of one: names of models in their order, as clients write them. */
export const membersOf = (stored: Stored | undefined): string[] =>
  JSON.parse((stored as string | null) ?? '[]') as string[]
export const setOf = (members: Iterable<string>): string => {
  const all = new Set(members)
  const models = [...typesWith('all')].filter((name) => all.has(name))
  return JSON.stringify([...models, ...[...all].filter((name) => !models.includes(name))])
}

function mergeCustom(
  base: Row,
  theirs: Row,
  ours: Row,
  take: (field: string) => Side | undefined,
  disputed: Disagreement[],
  fate: (name: string) => 'goes' | 'stays' | undefined,
): Stored {
  const [was, there, here] = [customOf(base), customOf(theirs), customOf(ours)]
  for (const key of new Set([...Object.keys(was), ...Object.keys(there), ...Object.keys(here)])) {
    const how = fate(key)
    if (how === 'goes') {
      delete here[key]
      continue
    }
    if (how === 'stays' && key in was) for (const values of [there, here]) if (!(key in values)) values[key] = was[key]
    if (key in there && there[key] === null && !(key in was) && !(key in here)) here[key] = null // it was emptied
    if (alike(there[key], here[key]) || alike(was[key], there[key])) continue
    if (!alike(was[key], here[key])) {
      const field = customColumn(key)
      const side = take(field)
      const values = { parted: was[key] ?? null, ours: here[key] ?? null, theirs: there[key] ?? null }
      disputed.push({ field, beside: [], ...values, side })
      if (side !== 'theirs') continue
    }
    if (key in there) here[key] = there[key]
    else delete here[key]
  }
  return stringifyExact(here)
}
