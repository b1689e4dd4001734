import { isObject } from '../lib/json.ts'
import { numberText } from '../lib/exact-json.ts'
import { type Actor, excessOf, holds, may, permissionName } from '../engine/actor.ts'
import type { Field, Row, Stored } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { notFound } from '../fields/generic.ts'
import { linkOf } from '../fields/refs.ts'
import { type Errors, Refused, SameAsOther, type WriteEvent, type WriteTools } from '../declare/behaviour.ts'
import { allModels, countersOf, fieldsOf, genericPrefix, memo, modelNamed } from '../engine/catalog.ts'
import { readBody, type Reading } from '../engine/input.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Authorship, type Links, linksOf, linksReader, record, snapshot } from './changelog.ts'
import { rowChange } from './statement-changes.ts'
import { count } from './counters.ts'
import { checkCustomRules } from './custom-rules.ts'
import { deleteRows } from './cascade.ts'
import type { Connection } from './database.ts'
import type { Feed } from './feed.ts'
import { dropUnheld } from './held-members.ts'
import { defaultsOf, insert } from './insert.ts'
import { resolver } from './references.ts'
import type { Store } from './open.ts'
import { copyOf, rowsIn, rowSql } from './rows.ts'
import { changeTags, isTagged, replaceTags, type TagChanges, tagChanges } from './tags.ts'
import { isWithin, storePlace } from './tree.ts'
import { fileFields, retire } from './uploads.ts'
import { transactionCache } from './transaction-cache.ts'
import { checkUnique, uniqueColumns } from './unique.ts'

/** One request's writes: who, when and with what message; handed to every rule as its tools. */
export class Writing {
  readonly store: Store
  readonly db: Connection
  readonly actor: Actor
  readonly by: Authorship
  readonly feed: Feed
  readonly tools: WriteTools

  constructor(store: Store, actor: Actor, by: Authorship) {
    this.store = store
    this.db = store.db
    this.actor = actor
    this.by = by
    this.feed = store.commit.feed
    this.tools = {
      ...rowsIn(this.db),
      display: (name, id) => this.display(modelNamed(name), id),
      create: (name, body) =>
        create(
          this.withMessage((body as { changelog_message?: string }).changelog_message ?? by.message),
          modelNamed(name),
          body,
          { mode: 'create' },
        ).id,
      update: (name, id, body) => void update(this, modelNamed(name), id, body, { mode: 'update' }),
      remove: (name, id) => deleteRows(this, modelNamed(name), [id]),
      insert: (m: string | AnyModel, columns: Row) =>
        insertRow(this, typeof m === 'string' ? modelNamed(m) : m, columns),
      patch: (m: string | AnyModel, id: number, columns: Row) =>
        patch(this, typeof m === 'string' ? modelNamed(m) : m, id, columns),
      expects: (rows) => this.db.pace?.check(rows),
      constraints: (action, name) =>
        actor.superuser ? [null] : (actor.grants.get(permissionName(action, name)) ?? []),
      holds: (action, name, constraints) => holds(actor, action, modelNamed(name), constraints),
      excessOf: (constraints, name) => excessOf(constraints, modelNamed(name)),
      mayOn: (action, name, id) => store.reader.mayOn(actor, action, modelNamed(name), id) === true,
      may: (action, name) => may(actor, action, modelNamed(name)),
      user: { id: actor.userId, name: actor.username, superuser: actor.superuser },
      config: store.config as never,
      now: by.now,
      model: modelNamed,
      models: allModels,
    }
  }

  row(m: AnyModel, id: number): Row | undefined {
    return this.db.get<Row>(rowSql(m), id)
  }

  /** Display text of a stored row, for change records and messages. */
  display(m: AnyModel, id: number): string {
    return this.store.reader.display(m, id)
  }

  /** The same of a row that is at hand as it is stored. */
  displayOf(m: AnyModel, row: Row): string {
    const text = typeof m.display === 'string' && m.fields[m.display] ? row[m.display] : undefined
    return typeof text === 'string' ? text : this.display(m, row.id as number)
  }

  /** The same request with another message. */
  withMessage(message: string): Writing {
    return message === this.by.message ? this : new Writing(this.store, this.actor, { ...this.by, message })
  }
}

/** What a write answers: the id, and what is shown this once only. */
export interface Written {
  id: number
  shownOnce: Record<string, unknown>
}

/** Creates one object from a body. Throws `Refused`; the caller's savepoint takes back what was done. */
export function create(w: Writing, m: AnyModel, body: unknown, reading: Reading): Written {
  const context = resolver(w, m, undefined)
  const accepted = accept(w, m, body, undefined)
  const given = readBody(m, accepted, reading, context)
  const changes = tagChanges(m, accepted, given, context, true)
  const row = fill(copyOf(defaultsOf(m)), m, given)
  if (m.fields.created) row.created = w.by.now
  if (m.fields.last_updated) row.last_updated = w.by.now
  if (m.fields.custom_fields) row.custom_field_data = w.store.customFields.check(w, m, given.custom_fields, undefined)
  const links = (isAll: boolean) => (hasLinks(m, given, changes, isAll) ? linksOf(w.db, m, row) : 'none')
  const note = recorder(w, m, row, links)
  const event: WriteEvent<Row> = {
    row,
    before: undefined,
    errors: {},
    given,
    body: accepted as Row,
    tools: w.tools,
    recordSoFar: () => note(false),
    isEntered: reading.isEntered,
  }
  check(w, m, event)
  row.id = insert(w.db, m, row)
  note.stored()
  for (const name of linkFields(m)) if (given[name]) setLinks(w, m, name, row.id as number, given[name] as number[])
  if (isTagged(m) && given.tags)
    changeTags(w, m, row.id as number, { add: [...new Set(given.tags as number[])], remove: [] })
  changeTags(w, m, row.id as number, changes)
  for (const { from, name, field } of countersOf(m))
    count(w.db, from, name, row[`${field.counter!.by}_id`] as number | null, 1)
  if (m.tree) storePlace(w.db, m, row)
  m.behaviour.saved?.(event)
  note()
  checkViewed(w, m, row, given, 'add')
  moveRows(w, m, row.id as number, given)
  return { id: row.id as number, shownOnce: m.behaviour.showOnce?.(event) ?? {} }
}

/** Changes one object from a body; PUT when `reading.mode` is `replace`. */
export function update(w: Writing, m: AnyModel, id: number, body: unknown, reading: Reading): Written {
  const before = w.row(m, id)
  if (!before) throw new Refused(404, { detail: `No ${m.objectName} matches the given query.` })
  const context = resolver(w, m, before)
  const accepted = accept(w, m, body, before)
  const given = readBody(m, accepted, reading, context)
  const changes = tagChanges(m, accepted, given, context, false)
  const links = linksReader(w.db, m, before)
  const was = m.changeLogged === false ? null : snapshot(w.db, m, before, links())
  const row = fill(copyOf(before), m, given)
  if (m.fields.last_updated) row.last_updated = w.by.now
  if (m.fields.custom_fields) row.custom_field_data = w.store.customFields.check(w, m, given.custom_fields, before)
  const note = recorder(w, m, row, links, was)
  const event: WriteEvent<Row> = {
    row,
    before,
    errors: {},
    given,
    body: accepted as Row,
    tools: w.tools,
    recordSoFar: () => note(),
    isEntered: reading.isEntered,
  }
  check(w, m, event)
  store(w, m, row, before)
  note.stored()
  for (const name of linkFields(m)) if (given[name]) setLinks(w, m, name, id, given[name] as number[])
  if (isTagged(m) && given.tags) replaceTags(w, m, id, given.tags as number[])
  changeTags(w, m, id, changes)
  recount(w.db, m, row, before)
  if (
    m.tree &&
    (row[`${m.tree.parent}_id`] !== before[`${m.tree.parent}_id`] ||
      (m.tree.by !== undefined && row[m.tree.by] !== before[m.tree.by]))
  )
    storePlace(w.db, m, row)
  dropUnheld(w.db, m, row, given)
  m.behaviour.saved?.(event)
  note()
  checkViewed(w, m, row, given, 'change')
  moveRows(w, m, id, given)
  return { id, shownOnce: m.behaviour.showOnce?.(event) ?? {} }
}

/**
 * Writes a change record of what a row became since the last: the first of a new row is of its creation. `stored`: the
 * row is in its table, and what is written there from now on may have changed it.
 */
function recorder(
  w: Writing,
  m: AnyModel,
  row: Row,
  links: (isAll: boolean) => Links | 'none',
  before: string | null = null,
): ((isAll?: boolean) => void) & { stored: () => void } {
  let was = before
  let version: number | undefined
  const note = (isAll = true) => {
    if (m.changeLogged === false) return
    const isSame = !m.behaviour.saved || w.db.version(m.table) === version
    const now = isSame ? row : (w.row(m, row.id as number) ?? row)
    const is = snapshot(w.db, m, now, links(isAll))
    record(w, m, row, w.displayOf(m, now), was === null ? 'create' : 'update', was, is)
    was = is
  }
  const stored = () => {
    version = w.db.version(m.table)
  }
  return Object.assign(note, { stored })
}

/** Stores columns over the defaults and records the row, without a body's checks. */
export function insertRow(w: Writing, m: AnyModel, columns: Row): number {
  const row = Object.assign(copyOf(defaultsOf(m)), columns)
  if (m.fields.created) row.created = w.by.now
  if (m.fields.last_updated) row.last_updated = w.by.now
  row.id = insert(w.db, m, row)
  for (const { from, name, field } of countersOf(m))
    count(w.db, from, name, row[`${field.counter!.by}_id`] as number | null, 1)
  if (m.changeLogged !== false) record(w, m, row, w.displayOf(m, row), 'create', null, snapshot(w.db, m, row, 'none'))
  return row.id
}

/**
 * Changes columns and records the change, without a body's checks. Refuses with 400 what would make the row the same as
 * another.
 */
export function patch(w: Writing, m: AnyModel, id: number, columns: Row): void {
  const before = transactionCache(w.db).row(m.table, id, rowSql(m))
  if (!before) return
  demandUnique(w, m, { ...before, ...columns }, before)
  const links = m.changeLogged === false ? {} : linksOf(w.db, m, before)
  const was = m.changeLogged === false ? null : snapshot(w.db, m, before, links)
  const row = Object.assign(copyOf(before), columns, m.fields.last_updated ? { last_updated: w.by.now } : undefined)
  store(w, m, row, before)
  recount(w.db, m, row, before)
  transactionCache(w.db).keep(m.table, id, row)
  record(w, m, row, w.displayOf(m, row), 'update', was, m.changeLogged === false ? null : snapshot(w.db, m, row, links))
}

/** Refuses a change of a row that follows from that of another. The row is named to who may view it. */
function demandUnique(w: Writing, m: AnyModel, row: Row, before: Row): void {
  if (!uniqueColumns(m).some((name) => row[name] !== before[name])) return
  const errors: Errors = {}
  checkUnique(w.db, m, row, before, errors)
  const texts = Object.values(errors).flat()
  if (texts.length === 0) return
  const id = row.id as number
  const named = w.tools.mayOn('view', m.name, id) ? w.displayOf(m, before) : `a ${m.label} that follows`
  throw new SameAsOther({ __all__: texts.map((text) => `${named}: ${String(text)}`) })
}

/** Whether a new row has links or tags of its own. `isAll`: rules after the row may have made some too. */
const hasLinks = (m: AnyModel, given: Record<string, unknown>, changes: TagChanges, isAll: boolean): boolean =>
  changes.add.length > 0 ||
  ((given.tags ?? []) as unknown[]).length > 0 ||
  linkedFields(m).some(({ name, isGiven }) => (isGiven ? (given[name] as unknown[] | undefined)?.length : isAll))
/** Fields of which link tables say something: by what a body gives, or by themselves. */
const linkedFields = memo((m: AnyModel) =>
  fieldsOf(m)
    .filter(([, field]) => field.links || field.sharedLinks || field.recorded)
    .map(([name, field]) => ({ name, isGiven: Boolean(field.links ?? field.sharedLinks) })),
)
const linkFields = memo((m: AnyModel) => fieldsOf(m).flatMap(([name, { links }]) => (links ? [name] : [])))
const movingFields = memo((m: AnyModel) => fieldsOf(m).flatMap(([name, { moves }]) => (moves ? [{ name, moves }] : [])))

const accept = (w: Writing, m: AnyModel, body: unknown, before: Row | undefined): unknown =>
  m.behaviour.accept && isObject(body)
    ? m.behaviour.accept(body as Record<string, unknown>, { before, tools: w.tools })
    : body

/** Puts what a body gives into the columns of a row. */
function fill(row: Row, m: AnyModel, given: Record<string, unknown>): Row {
  for (const name of Object.keys(given)) {
    const field = m.fields[name] as Field | undefined // none where objects have tags that they do not show
    if (field?.write) Object.assign(row, field.write(given[name], name, numberText(given, name)))
  }
  return row
}

/** The model's own rules, then uniqueness. */
function check(w: Writing, m: AnyModel, event: WriteEvent<Row>): void {
  m.behaviour.prepare?.(event)
  const errors: Errors = event.errors
  if (m.tree && event.before) {
    const parent = event.row[`${m.tree.parent}_id`]
    if (parent !== null && isWithin(w.db, m, event.row.id as number, parent as number))
      errors[m.tree.parent] = [`Cannot assign self or child ${m.label} as parent.`]
  }
  if (Object.keys(errors).length) throw new Refused(400, errors)
  m.behaviour.validate?.(event)
  checkCustomRules(w.store.config.customValidators, m, event.row, event.given, errors)
  checkUnique(w.db, m, event.row, event.before, errors)
  if (Object.keys(errors).length) throw new Refused(400, errors)
}

function store({ db }: Writing, m: AnyModel, row: Row, before: Row): void {
  const changed = Object.keys(row).filter((name) => name !== 'id' && !same(row[name], before[name]))
  if (changed.length)
    db.runFor(
      rowChange(m.table, changed, row.id as number, before, row),
      `update ${q(m.table)} set ${changed.map((name) => `${q(name)} = ?`).join(', ')} where id = ?`,
      ...changed.map((name) => row[name]),
      row.id,
    )
  for (const name of fileFields(m)) if (row[name] !== before[name]) retire(db, before[name])
}
const same = (a: Stored | undefined, b: Stored | undefined): boolean =>
  a === b || (Buffer.isBuffer(a) && Buffer.isBuffer(b) && a.equals(b))

/**
 * Links a row to these by a many-to-many field, and to no others; links that stay are not written. Where they are a
 * field of those, seen from here, each that comes or goes is a change of one of them, and recorded.
 */
function setLinks(w: Writing, m: AnyModel, name: string, id: number, targets: readonly number[]): void {
  const { via, model } = m.fields[name].links
  const { table, from, to } = linkOf(m, name, via)
  const other = modelNamed(model)
  const isTheirs = via !== undefined && other.changeLogged !== false
  const links = w.db.all<{ id: number }>(`select ${to} as id from ${q(table)} where ${from} = ?`, id)
  const [before, after] = [new Set(links.map((link) => link.id)), new Set(targets)]
  const remove = `delete from ${q(table)} where ${from} = ? and ${to} = ?`
  const add = `insert into ${q(table)} (${from}, ${to}) values (?, ?)`
  for (const each of new Set([...before, ...after])) {
    if (before.has(each) && after.has(each)) continue
    const row = isTheirs ? w.row(other, each)! : undefined
    const was = row && snapshot(w.db, other, row)
    w.db.run(before.has(each) ? remove : add, id, each)
    if (row) record(w, other, row, w.displayOf(other, row), 'update', was!, snapshot(w.db, other, row))
  }
}

/**
 * Refuses a reference to an object that the actor may not view, where that is asked. Who may not write the row is
 * refused for that by the caller, and learns nothing of the object.
 */
function checkViewed(
  w: Writing,
  m: AnyModel,
  row: Row,
  given: Record<string, unknown>,
  action: 'add' | 'change',
): void {
  for (const [name, field] of viewedOf(m)) {
    if (!given[name]) continue
    const as = genericPrefix(field, name)
    const [type, id] = [row[`${as}_type`] as string, row[`${as}_id`] as number]
    if (w.tools.mayOn('view', type, id) || !w.tools.mayOn(action, m.name, row.id as number)) continue
    throw new Refused(400, { [`${as}_id`]: [notFound(id)] })
  }
}
const viewedOf = memo((m: AnyModel) => fieldsOf(m).filter(([, { generic }]) => generic?.viewed))

/** Points rows of other models that a body names at this object, each with its own checks and change record. */
function moveRows(w: Writing, m: AnyModel, id: number, given: Record<string, unknown>): void {
  for (const { name, moves } of movingFields(m)) {
    if (!given[name]) continue
    const target = modelNamed(moves.model)
    const reference = target.fields[moves.by] as Field
    const [type, key] = reference.generic ? reference.keys!(moves.by) : []
    const body = reference.generic ? { [type!]: m.name, [key!]: id } : { [moves.by]: id }
    for (const each of new Set(given[name] as number[])) {
      const row = w.row(target, each)!
      if (reference.generic ? row[type!] === m.name && row[key!] === id : row[`${moves.by}_id`] === id) continue
      const demand = () => {
        if (!w.tools.mayOn('change', target.name, each))
          throw new Refused(403, { detail: 'You do not have permission to perform this action.' })
      }
      demand()
      try {
        update(w, target, each, body, { mode: 'update' })
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 400) throw error
        throw new Refused(400, { [name]: Object.values(error.body as Errors).flat() })
      }
      demand() // it may have left what the actor may change
    }
  }
}

function recount(db: Connection, m: AnyModel, row: Row, before: Row): void {
  for (const { from, name, field } of countersOf(m)) {
    const column = `${field.counter!.by}_id`
    if (row[column] === before[column]) continue
    count(db, from, name, before[column] as number | null, -1)
    count(db, from, name, row[column] as number | null, 1)
  }
}
