import { fieldsOf, modelNamed } from '../../src/engine/catalog.ts'
import type { Field } from '../../src/fields/field.ts'
import { type Change, changesBetween, reach, referred, targetOf, type Values } from './values.ts'

/** A conflict as the file of a kit has it. */
export interface Listed {
  key: string
  object_type: string
  object_id: number
  field: string | null
  kind: string
  ours: unknown
  theirs: unknown
  if_ours: string
  if_theirs: string
  [more: string]: unknown
}
/** One that was decided, as the kit keeps it. */
export interface Decided extends Listed {
  take: 'ours' | 'theirs'
}

/** The states around one merge: where both parted, each side before it, and what both became. */
interface States {
  parted: Values
  ours: Values
  theirs: Values
  result: Values
}
type Side = 'ours' | 'theirs'

/**
 * Changes of either side that are neither in the result of a merge nor shown by a decision against that side, as texts:
 * what was lost without a word.
 */
export function lostValues({ parted, ours, theirs, result }: States, decided: readonly Decided[]): string[] {
  const lost: string[] = []
  for (const [side, state] of [
    ['ours', ours],
    ['theirs', theirs],
  ] as const) {
    const against = decided.filter(({ take }) => take !== side)
    const back = backWith(against, side, [parted, ours, theirs], state)
    const known = { parted, result, state, other: side === 'ours' ? theirs : ours, against, side, back }
    for (const change of changesBetween(parted, state)) {
      const { object, field, is } = change
      const now = result.get(object)
      if (now?.get(field) === is) continue // what was taken from an object that went is no loss
      if (!isKnown(change, known))
        lost.push(`${side} ${object} ${field}: ${text(change.was)} > ${text(is)}, is ${text(now?.get(field))}`)
    }
  }
  return lost
}

/** What is known when one change of one side is looked for. */
interface Known extends Pick<States, 'parted' | 'result'> {
  side: Side
  state: Values
  /** What the other side has. */
  other: Values
  /** Decisions against this side. */
  against: readonly Decided[]
  /** Objects that this side deleted and that came back, because of a decision. */
  back: ReadonlySet<string>
}

function isKnown(change: Change, known: Known): boolean {
  const { object, field, is } = change
  const { state, parted, result, other, against, side, back } = known
  const names = [change, ...renamedSince(change, state, result)]
  if (against.some((each) => names.some((name) => shows(each, name, side)))) return true
  if (field === '*') return is === undefined ? back.has(object) : !result.has(object) && isSaid(against, object, side)
  if (
    isMoved(change, state, result) ||
    isSummed(change, state, result) ||
    isGiven(change, state, result) ||
    isOfCustomField(change, known)
  )
    return true
  if (!parted.has(object) && !result.has(object) && isDefault(change)) return true
  const holder = holderOf(change) ?? field
  const target = targetOf({ ...change, field: holder }, is === undefined ? parted : state)
  const isEmptied = field.includes('#') || fieldOf(object, holder)?.target?.onDelete === 'set null'
  const now = result.get(object)?.get(field)
  const isOld = [parted, other].some((values) => values.get(object)?.get(field) === now)
  // The deletion of what it referred to had emptied it.
  return target !== undefined && isEmptied && is === undefined && back.has(target) && isOld
}

/** A change of a custom field that the other side renamed, by the name that the field has now. */
function renamedSince(change: Change, state: Values, result: Values): Change[] {
  const name = /^custom_fields\.(.*)/.exec(change.field)?.[1]
  if (name === undefined) return []
  return [...state].flatMap(([each, of]) => {
    const now = each.startsWith('extras.customfield:') && of.get('name') === name && result.get(each)?.get('name')
    return typeof now === 'string' && now !== name ? [{ ...change, field: `custom_fields.${now}` }] : []
  })
}

const keyOf = ({ object_type, object_id }: Listed): string => `${object_type}:${object_id}`

/** Whether a decision shows the value that a side wrote, or, where it took one away, the place. */
function shows(conflict: Decided, { object, field, is }: Change, side: Side): boolean {
  const name = nameOf(object, field)
  const value = conflict[side]
  if (keyOf(conflict) === object) {
    if (field === '*') return conflict.field === null
    if (conflict.field === name && (is === undefined || hasValue(value, object, field, is))) return true
    if (isRecord(value) && name in value) return is === undefined || hasValue(value[name], object, field, is)
    const was = fieldOf(object, field)?.isFirst === false ? '' : `${escaped(String(is))}(;|$)` // it follows the first
    const given = new RegExp(`(the|without) (${name}|${field})\\b[^;]* instead of ${was}`)
    if (given.test(conflict[`if_${conflict.take}`])) return true
  }
  if (name === 'terminations' && endsOf(value).some((end) => isEnd(end, object, field))) return true
  return recordsOf(value, object).some((record) => {
    if (field.includes('#') && Array.isArray(record)) return hasValue(record, object, field, is)
    return isRecord(record) && name in record && (is === undefined || hasValue(record[name], object, field, is))
  })
}

/** Ends of cables among the objects that a value of a conflict holds. */
const endsOf = (value: unknown): Record<string, unknown>[] =>
  isRecord(value)
    ? (Object.values(value).filter((each) => isRecord(each) && 'cable_end' in each) as Record<string, unknown>[])
    : []
const isEnd = ({ cable, termination }: Record<string, unknown>, object: string, field: string): boolean => {
  const [model, id] = field.split('#')[1]!.split(':') as [string, string]
  return (
    `${String(cable)} `.includes(`(${object.split(':')[1]}) `) &&
    String(termination).startsWith(`${modelNamed(model).label} `) &&
    new RegExp(`(\\(| )${id}\\)?$`).test(String(termination))
  )
}

/** Whether one of some decisions names an object, with what was written of it. */
const isSaid = (against: readonly Decided[], object: string, side: Side): boolean =>
  against.some((each) => keyOf(each) === object || recordsOf(each[side], object).length > 0)

/** What a value of a conflict holds of an object that it names. */
function recordsOf(value: unknown, object: string): unknown[] {
  if (!isRecord(value)) return []
  const [model, id] = object.split(':') as [string, string]
  const { label } = modelNamed(model)
  const is = new RegExp(`^(the \\w+ of )?${escaped(label)} .*\\(${id}\\)$`, 's')
  const numbered = `${label} ${id}`
  return Object.entries(value).flatMap(([name, of]) => (is.test(name) || name === numbered ? [of] : []))
}

/** Whether what is shown of a field holds a value: itself, or what it refers to with its id. */
function hasValue(shown: unknown, object: string, field: string, is: unknown): boolean {
  if (shown === null || shown === undefined) return false
  if (field.startsWith('custom_fields.')) return JSON.stringify(shown) === is
  const [set, name] = field.split('#') as [string, string]
  if ((modelNamed(object.split(':')[0]!).fields[set] as Field | undefined)?.isSet)
    return Array.isArray(shown) && shown.includes(name)
  if (field.includes('#')) return !Array.isArray(shown) || shown.some((each) => isMember(String(each), field))
  const declared = fieldOf(object, field)
  if (!declared || declared.file || declared.secret) return true // a file is shown by its name, a secret not at all
  if (declared.generic && field.endsWith('_type')) return String(shown).startsWith(`${modelNamed(String(is)).label} `)
  if (declared.target || (declared.generic && field.endsWith('_id')))
    return new RegExp(`(^|[( ])${String(is)}\\)?$`).test(String(shown))
  return !declared.isFirst || String(shown) === String(is)
}

/** Whether a member is in a list: by its id, or as an end or position, of which something is shown. */
function isMember(each: string, field: string): boolean {
  const id = /#(\d+)$/.exec(field)?.[1]
  return id === undefined || each.endsWith(`(${id})`)
}

const fieldOf = (object: string, column: string) => fieldsByColumn(object.split(':')[0]!).get(column)
/** Fields of a model by each of their columns. */
function fieldsByColumn(model: string): ReadonlyMap<string, Declared> {
  const known = byColumn.get(model)
  if (known) return known
  const made = new Map<string, Declared>()
  for (const [name, field] of fieldsOf(modelNamed(model))) {
    const columns = Object.keys(field.columns(name))
    const { target, generic, options, upload: file } = field
    for (const each of columns)
      if (!made.has(each))
        made.set(each, { name, field, target, generic, file, secret: options.secret, isFirst: columns[0] === each })
  }
  byColumn.set(model, made)
  return made
}
const byColumn = new Map<string, ReadonlyMap<string, Declared>>()
interface Declared extends Pick<Field, 'target' | 'generic'> {
  name: string
  field: Field
  file: Field['upload']
  secret: Field['options']['secret']
  isFirst: boolean
}

/** The name that conflicts give a field: that of the declaration; ends of cables are one. */
function nameOf(object: string, field: string): string {
  if (field.startsWith('custom_fields.') || field === '*') return field
  const [name] = field.split('#') as [string]
  if (name.endsWith('_terminations')) return 'terminations'
  const declared = fieldOf(object, field)
  return field.includes('#') ? name : (declared?.field.options.of ?? declared?.name ?? name.replace(/_(id|type)$/, ''))
}

/** Whether nobody wrote a value: what a new object has by itself. */
function isDefault({ object, field, is }: Change): boolean {
  const declared = fieldOf(object, field)
  return declared !== undefined && declared.field.columns(declared.name)[field]?.default === is
}

/**
 * The column of the reference without which a value means nothing: a position in a virtual chassis goes and comes with
 * the chassis, by the model's own rule on every server.
 */
function holderOf({ object, field }: Change): string | undefined {
  const fields = fieldsOf(modelNamed(object.split(':')[0]!))
  const holder = fields.find(([, { target }]) => target?.beside?.includes(field))
  return holder && `${holder[0]}_id`
}

/**
 * Whether a place follows that of what the object stands in: a rack or location that the other side moved; a device
 * in whose bay it is, with which it moves at any write of that device, on every server; or a cluster that was moved,
 * with which its virtual machines move.
 */
function isMoved({ object, field }: Change, state: Values, result: Values): boolean {
  if (field !== 'site_id' && field !== 'location_id' && field !== 'rack_id') return false
  const now = result.get(object)
  if (!now) return false
  if (object.startsWith('virtualization.virtualmachine:')) {
    const [was, is] = [state, result].map((values) => siteOfCluster(values, now.get('cluster_id')))
    return is !== was && is === now.get(field)
  }
  const around = ['rack', 'location'].map((name) => `dcim.${name}:${now.get(`${name}_id`)}`)
  if (object.startsWith('dcim.location:')) around.push(`dcim.location:${now.get('parent_id')}`)
  for (const [each, bay] of result)
    if (each.startsWith('dcim.devicebay:') && `dcim.device:${bay.get('installed_device_id')}` === object)
      return result.get(`dcim.device:${bay.get('device_id')}`)?.get(field) === now.get(field)
  return around.some((each) => {
    const [was, is] = [state, result].map((values) => values.get(each)?.get(field))
    return is !== was && is === now.get(field)
  })
}

/** The site of a cluster, be it that of its location; undefined where it has none. */
function siteOfCluster(values: Values, id: unknown): unknown {
  const cluster = values.get(`virtualization.cluster:${id}`)
  const [type, scope] = [cluster?.get('scope_type'), cluster?.get('scope_id')]
  if (type === 'dcim.site') return scope
  return type === 'dcim.location' ? values.get(`dcim.location:${scope}`)?.get('site_id') : undefined
}

/** Whether nobody wrote a value: the disk of a machine that has virtual disks is their sum, before and after. */
function isSummed({ object, field, is }: Change, state: Values, result: Values): boolean {
  if (field !== 'disk' || !object.startsWith('virtualization.virtualmachine:')) return false
  const sumIn = (values: Values) => {
    const id = Number(object.split(':')[1])
    const disks = [...values].filter(
      ([each, of]) => each.startsWith('virtualization.virtualdisk:') && of.get('virtual_machine_id') === id,
    )
    return disks.length ? disks.reduce((sum, [, of]) => sum + Number(of.get('size')), 0) : undefined
  }
  return is === sumIn(state) && result.get(object)?.get(field) === sumIn(result)
}

/** Whether nobody wrote a value: it is that of the type that the object has, before and after. */
function isGiven({ object, field, is }: Change, state: Values, result: Values): boolean {
  const giver = fieldsOf(modelNamed(object.split(':')[0]!)).find(([, { target }]) => target?.gives?.includes(field))
  if (!giver) return false
  const givenIn = (values: Values) => {
    const type = values.get(object)?.get(`${giver[0]}_id`)
    return type === undefined ? false : values.get(`${giver[1].target!.model}:${type}`)?.get(field)
  }
  return is === givenIn(state) && result.get(object)?.get(field) === givenIn(result)
}

/**
 * Whether a value of a custom field is there under the name that the field has now; was there before under another
 * name, of a field whose new name or whose being is decided, or the other side took it away; or was written by nobody:
 * a default, in an object that is new or that the other side deleted.
 */
function isOfCustomField(
  { object, field, is }: Change,
  { parted, state, other, result, against, back }: Known,
): boolean {
  const name = /^custom_fields\.(.*)/.exec(field)?.[1]
  if (name === undefined) return false
  const ofName = (values: Values) =>
    [...values].filter(([each, of]) => each.startsWith('extras.customfield:') && of.get('name') === name)
  const fields = [...ofName(parted), ...ofName(state)]
  // What is named so now is another field; that of the value is gone on both sides, or has the value by its own name.
  const isElsewhere = (each: string) => {
    const [then, now] = [state, result].map((values) => values.get(each)?.get('name'))
    const [was, at] = [state.get(object)?.get(`custom_fields.${then}`), result.get(object)?.get(`custom_fields.${now}`)]
    return now === undefined || (now !== name && was === at)
  }
  if (is === undefined && ofName(parted).every(([each]) => isElsewhere(each))) return true
  // It was taken away with its field, which comes back or stays.
  if (
    is === undefined &&
    fields.some(([each]) => back.has(each) || against.some((conflict) => keyOf(conflict) === each))
  )
    return true
  const names = fields.map(([each]) => result.get(each)?.get('name'))
  if (names.some((now) => now !== undefined && result.get(object)?.get(`custom_fields.${now}`) === is)) return true
  for (const [each] of fields) {
    const before = parted.get(each)?.get('name')
    const isRenamed = before !== undefined && before !== name
    const isOld = isRenamed && parted.get(object)?.get(`custom_fields.${before}`) === is
    const there = other.get(object)?.get(`custom_fields.${other.get(each)?.get('name')}`)
    if (isOld && (there !== is || against.some((conflict) => keyOf(conflict) === each))) return true
  }
  const isLoose = (each: string) =>
    !parted.has(object) || !result.has(object) || against.some((conflict) => keyOf(conflict) === each)
  return fields.some(([each, of]) => is !== undefined && of.get('default') === is && isLoose(each))
}

/**
 * Objects that one side deleted and that a decision against it brought back: one that was decided about, what refers to
 * it or is referred to by it, and what hangs together with these, as they were or as the other side has them.
 */
function backWith(against: readonly Decided[], side: Side, states: readonly Values[], state: Values): Set<string> {
  const [parted, ours, theirs] = states as [Values, Values, Values]
  const gone = [parted, side === 'ours' ? theirs : ours].map(
    (values): Values => new Map([...values].filter(([object]) => parted.has(object) && !state.has(object))),
  )
  const whole = against.filter(({ kind }) => ['deleted here', 'deleted there', 'referenced', 'missing'].includes(kind))
  let found = new Set(whole.map(keyOf))
  const other = side === 'ours' ? 'theirs' : 'ours'
  for (const values of states)
    for (const [object, fields] of values)
      if (found.has(object) || isSaid(whole, object, other))
        for (const each of referred(object, fields, values)) found.add(each)
  for (let size = 0; size < found.size; ) {
    size = found.size
    found = reach(reach(found, gone, 'up'), gone, 'down')
  }
  return found
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const escaped = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const text = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
