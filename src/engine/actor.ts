import { isObject } from '../lib/json.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Stored } from '../fields/field.ts'
import { anyOf } from '../filters/filter.ts'
import type { AnyModel } from '../declare/model.ts'
import { constraint, type LookupContext, TooMuch, UnknownAttribute } from './lookups.ts'
import type { PathContext } from './paths.ts'

/** Who makes a request, with everything that decides what they may do. */
export interface Actor {
  readonly userId: number | null
  readonly username: string
  readonly superuser: boolean
  /** 'app.action_model' → constraints; `null` means every object. */
  readonly grants: ReadonlyMap<string, readonly unknown[]>
  /** Models that anyone may view (EXEMPT_VIEW_PERMISSIONS). */
  readonly exempt: (model: string) => boolean
  /** False for a token that may only read. */
  readonly writes: boolean
}

/** 'dcim.site', 'view' → 'dcim.view_site'. */
export const permissionName = (action: string, model: string): string => model.replace('.', `.${action}_`)

/** Whether the actor may do this to objects of a model at all; which ones, `permittedRows` says. */
export function may(actor: Actor, action: string, m: AnyModel): boolean {
  return (
    actor.superuser ||
    (action === 'view' && (m.open || actor.exempt(m.name))) ||
    actor.grants.has(permissionName(action, m.name))
  )
}

/** SQL of the rows that the actor may do this to, on row alias `t`; undefined for all of them, `false` for none. */
export function permittedRows(
  actor: Actor,
  action: string,
  m: AnyModel,
  t: string,
  c: LookupContext,
): string | undefined {
  if (actor.superuser) return undefined
  const granted = grantedBy(actor, action, m, t, c)
  // What a user makes for others is theirs to make.
  if (!m.personal || action === 'add' || granted === 'false') return granted
  const own = `(${t}.shared = 1 or ${t}.user_id = ${c.bind(actor.userId)})`
  return granted ? `(${granted} and ${own})` : own
}

function grantedBy(actor: Actor, action: string, m: AnyModel, t: string, c: LookupContext): string | undefined {
  if (action === 'view' && (m.open || actor.exempt(m.name))) return undefined
  const grants = actor.grants.get(permissionName(action, m.name))
  if (!grants) return 'false'
  if (grants.some((constraints) => constraints === null || (Array.isArray(constraints) && constraints.length === 0)))
    return undefined
  const parts = grants.map((constraints) => {
    try {
      return constraint(m, t, constraints, actor.userId, c)
    } catch (error) {
      if (error instanceof UnknownAttribute) return 'false' // a constraint that names nothing allows nothing
      throw error
    }
  })
  return anyOf([...new Set(parts)])
}

/**
 * What a path of references may compare for an actor: what answers show of a related object anyway (its brief members),
 * and anything of the objects that they may view.
 */
export const comparableBy =
  (actor: Actor, c: LookupContext): PathContext['crossing'] =>
  ({ model, next, isShown }, t) =>
    isShown && (next === 'id' || next === 'pk' || model.brief.includes(next))
      ? undefined
      : permittedRows(actor, 'view', model, t, c)

const alternativesOf = (constraints: unknown): readonly unknown[] =>
  constraints === null ? [{}] : !Array.isArray(constraints) ? [constraints] : constraints.length ? constraints : [{}]

/**
 * Whether the actor may do this to all objects of a model that some constraints allow: each alternative must have the
 * conditions of one that the actor holds; more conditions may compare what the actor sees.
 */
export function holds(actor: Actor, action: string, m: AnyModel, constraints: unknown): boolean {
  if (actor.superuser || (action === 'view' && (m.open || actor.exempt(m.name)))) return true
  const held = (actor.grants.get(permissionName(action, m.name)) ?? [])
    .filter((grant) => grant === null || isUsable(m, grant))
    .flatMap(alternativesOf)
  return alternativesOf(constraints).every((given) =>
    held.some(
      (own) =>
        isObject(own) &&
        isObject(given) &&
        Object.entries(own).every(([key, value]) => isDeepStrictEqual(given[key], value)) &&
        Object.entries(given).every(
          ([key, value]) => Object.hasOwn(own, key) || mayCompare(actor, m, { [key]: value }),
        ),
    ),
  )
}

/** Whether a condition on a model tells the actor nothing of rows that they do not see. */
function mayCompare(actor: Actor, m: AnyModel, condition: object): boolean {
  const c = binder()
  const comparable = comparableBy(actor, c)!
  const crossing: PathContext['crossing'] = (crossed, t) => {
    if (comparable(crossed, t) !== undefined) throw new UnknownAttribute(`${crossed.model.name} is not for this user`)
    return undefined
  }
  return may(actor, 'view', m) && isUsable(m, condition, { ...c, crossing })
}

/** Whether a grant's constraints can be applied; those that cannot allow nothing. */
function isUsable(m: AnyModel, constraints: unknown, c: LookupContext = binder()): boolean {
  try {
    constraint(m, 't', constraints, null, c)
    return true
  } catch (error) {
    if (error instanceof UnknownAttribute) return false
    throw error
  }
}

/** Why constraints on a model allow nothing; undefined where they can be applied. */
export function constraintFault(constraints: unknown, m: AnyModel): string | undefined {
  try {
    constraint(m, 't', constraints, null, binder())
    return undefined
  } catch (error) {
    if (error instanceof UnknownAttribute) return error.message
    throw error
  }
}

/** Why constraints on a model go beyond the bounds of comparisons; undefined when they do not. */
export function excessOf(constraints: unknown, m: AnyModel): string | undefined {
  try {
    constraint(m, 't', constraints, null, binder())
    return undefined
  } catch (error) {
    if (error instanceof TooMuch) return error.message
    if (error instanceof UnknownAttribute) return undefined // it allows nothing, and does no harm
    throw error
  }
}

/** The machinery itself: start-up, housekeeping, the command line. */
export const System: Actor = {
  userId: null,
  username: '',
  superuser: true,
  grants: new Map(),
  exempt: () => true,
  writes: true,
}

/** Collects bound values and aliases while a condition is written. */
export function binder(
  prefix = 'c',
): LookupContext & { values: Record<string, Stored>; uses: (table: string) => void; tables: Set<string> } {
  const values: Record<string, Stored> = {}
  let bound = 0
  const tables = new Set<string>()
  let aliases = 0
  return {
    values,
    tables,
    bind: (value) => {
      const name = `${prefix}${++bound}`
      values[name] = value
      return `+:${name}`
    },
    alias: () => `${prefix}${++aliases}`,
    uses: (table) => tables.add(table),
  }
}
