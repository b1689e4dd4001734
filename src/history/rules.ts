import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { linkTable, type Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { type Errors, Refused, type WriteTools } from '../declare/behaviour.ts'
import { fieldsOf, genericPrefix, modelNamed } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { linkOf } from '../fields/refs.ts'
import { checkCustomRules } from '../store/custom-rules.ts'
import type { Connection } from '../store/database.ts'
import { isWithin } from '../store/tree.ts'
import { checkUnique } from '../store/unique.ts'
import type { Writing } from '../store/write.ts'
import { customColumn, type CustomValues, customOf } from './custom-values.ts'
import { fieldsThatDiffer } from './merge.ts'
import { eventOf } from './settle.ts'
import { areAsBefore } from './since.ts'

/**
 * What a rule says of a row, and the tables that it read to say so; undefined: it is of the row alone, as it is judged
 * today.
 */
interface Fault {
  field: string | null
  text: string
  read: ReadonlySet<string> | undefined
}

/**
 * What an ordinary write of a row as it is now would be refused for: the model's rules, custom fields, validators of
 * the configuration, uniqueness, circles in a tree, references to what the actor may not view. `before`: as it was
 * before this write; `mayDangle`: custom fields may refer to what is gone.
 */
export function faultsOf(
  w: Writing,
  m: AnyModel,
  row: Row,
  before: Row | null,
  given: Record<string, unknown>,
  { isNew = false, mayDangle = false }: { isNew?: boolean; mayDangle?: boolean } = {},
): Fault[] {
  const faults: Fault[] = []
  const judge = (read: ReadonlySet<string> | undefined, work: (errors: Errors) => void, of?: string): void => {
    const errors: Errors = {}
    try {
      work(errors)
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 400) throw error
      Object.assign(errors, error.body as Errors)
    }
    for (const [field, texts] of Object.entries(errors))
      for (const text of textsOf(texts)) faults.push({ field: of ?? (field === '__all__' ? null : field), text, read })
  }
  const read = new Set<string>()
  const event = {
    ...eventOf(w, { ...row }, before ?? (isNew ? undefined : { ...row }), given),
    tools: watched(w.tools, read),
  }
  judge(read, (errors) => m.behaviour.prepare?.({ ...event, row: { ...row }, errors }))
  judge(read, (errors) => m.behaviour.validate?.({ ...event, errors }))
  judge(undefined, (errors) => checkCustomRules(w.store.config.customValidators, m, row, given, errors))
  judge(new Set([m.table]), (errors) => {
    checkUnique(w.db, m, row, before ?? undefined, errors)
    const column = m.tree && `${m.tree.parent}_id`
    const parent = column && before && before[column] !== row[column] ? row[column] : null // a circle is who closes it
    if (m.tree && parent && isWithin(w.db, m, row.id as number, parent as number))
      errors[m.tree.parent] = [`Cannot assign self or child ${m.label} as parent.`]
  })
  if (m.fields.custom_fields && (!before || before.custom_field_data !== row.custom_field_data)) {
    const [values, was] = [customOf(row), customOf(before)]
    const read = new Set([m.table, 'extras_customfield', 'extras_customfieldchoiceset'])
    for (const name of before ? changedIn(values, was) : Object.keys(values))
      judge(read, () => w.store.customFields.checkStored(w, m, name, row, mayDangle), customColumn(name))
  }
  judge(undefined, (errors) => {
    for (const [name, field] of fieldsOf(m)) {
      if (!field.generic?.viewed) continue
      const as = genericPrefix(field, name)
      const [type, id] = [row[`${as}_type`] as string | null, row[`${as}_id`] as number | null]
      if (!type || !id || (before?.[`${as}_type`] === type && before[`${as}_id`] === id)) continue
      if (!w.tools.mayOn('view', type, id)) errors[name] = [`You may not see ${modelNamed(type).label} ${id}.`]
    }
  })
  return faults
}

/** What a write of a row gives it: references that are others than before, and members of some fields. */
export function givenTo(
  db: Connection,
  m: AnyModel,
  before: Row | null,
  row: Row,
  isGiven: (field: string) => boolean,
): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const [name, { links, target }] of fieldsOf(m)) {
    if (target && before && before[`${name}_id`] !== row[`${name}_id`]) given[name] = row[`${name}_id`]
    if (!links || links.via || !isGiven(name)) continue
    const members = db.all<{ to_id: number }>(
      `select to_id from ${q(linkTable(m.table, name))} where from_id = +?`,
      row.id,
    )
    given[name] = members.map(({ to_id }) => to_id)
  }
  return given
}

/** A row of the source as rules see it before a push writes another over it: custom fields are matched elsewhere. */
export const asWrittenOver = (there: Row, row: Row): Row =>
  'custom_field_data' in row ? { ...there, custom_field_data: row.custom_field_data ?? null } : there

const textsOf = (texts: unknown): string[] =>
  typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(textsOf) : [String(texts)]

const changedIn = (now: CustomValues, before: CustomValues): string[] =>
  Object.keys(now).filter((name) => stringifyExact(now[name] ?? null) !== stringifyExact(before[name] ?? null))

/** The tools of a write, which note the tables that are read. */
function watched(tools: WriteTools, read: Set<string>): WriteTools {
  const note = (model: string | AnyModel) => read.add((typeof model === 'string' ? modelNamed(model) : model).table)
  const by = (name: 'row' | 'rows' | 'first' | 'has' | 'count') => ({
    [name]: (model: string | AnyModel, ...rest: unknown[]) => {
      note(model)
      return (tools[name] as (...given: unknown[]) => unknown)(model, ...rest)
    },
  })
  const byStatement = (name: 'get' | 'all') => ({
    [name]: (statement: { text: string }, ...values: unknown[]) => {
      for (const [, table] of statement.text.matchAll(/\b(?:from|join)\s+"?(\w+)/gi)) read.add(table!)
      return (tools[name] as (...given: unknown[]) => unknown)(statement, ...values)
    },
  })
  return {
    ...tools,
    ...by('row'),
    ...by('rows'),
    ...by('first'),
    ...by('has'),
    ...by('count'),
    ...byStatement('get'),
    ...byStatement('all'),
    linked: (model: string, field: string, ids: readonly number[]) => {
      const m = modelNamed(model)
      note(m)
      read.add(linkOf(m, field, m.fields[field].links.via).table)
      return tools.linked(model as never, field as never, ids)
    },
  } as WriteTools
}

/**
 * Whether a row that is again as it was before a step broke a rule then already: what the rule reads is as it was, so
 * it said the same. So an undo gives back what had been there, also where rules would not make it anew.
 */
export const wasSo = (
  db: Connection,
  m: AnyModel,
  row: Row,
  was: { row: Row; step: number } | undefined,
  read: ReadonlySet<string> | undefined,
): boolean =>
  was !== undefined &&
  read !== undefined &&
  fieldsThatDiffer(m, row, was.row).size === 0 &&
  areAsBefore(db, read, was.step)

/**
 * Custom field values of an earlier state under the names that custom fields have today: those of a field that is gone
 * are left out. Answers the same text where all is as it was.
 */
export function customDataToday(w: Writing, m: AnyModel, text: string): string {
  const known = new Set(w.store.customFields.of(m).map(({ name }) => name))
  const values = parseExact(text) as Record<string, unknown>
  const strange = Object.keys(values).filter((name) => !known.has(name))
  if (strange.length === 0) return text
  for (const name of strange) {
    const today = nameToday(w.db, name)
    if (today !== undefined && known.has(today)) values[today] ??= values[name]
    delete values[name]
  }
  return stringifyExact(values)
}

/** The name that a custom field has which was called so once. */
function nameToday(db: Connection, name: string): string | undefined {
  const shapes = db.all<{ id: number; columns: string }>(
    "select id, columns from history_shape where name = 'extras_customfield'",
  )
  for (const { id, columns } of shapes) {
    const at = (JSON.parse(columns) as unknown[]).indexOf('name')
    const found = db.get<{ name: string }>(
      `select f.name from history_row r join extras_customfield f on f.id = r.row_id
        where r.shape = ? and r.before is not null and r.before ->> ? = ? order by r.step desc limit 1`,
      id,
      `$[${at}]`,
      name,
    )
    if (found) return found.name
  }
  return undefined
}
