import { modelNamed } from '../engine/catalog.ts'
import { isObject, excessOfJson, sortKeysByLength } from '../lib/json.ts'
import { readRequestBody } from './body.ts'
import { type Answer, ApiError, type Call, forbidden, jsonAnswer } from './request.ts'
import { demand, transact } from './resource.ts'

export interface Dashboard {
  layout: unknown
  config: unknown
}

const Actions: Readonly<Record<string, string>> = {
  GET: 'view',
  HEAD: 'view',
  PUT: 'change',
  PATCH: 'change',
  DELETE: 'delete',
}
const Members = ['layout', 'config'] as const

/** The own dashboard as it is kept; nulls when there is none. */
export function keptDashboard({ store, actor }: Call): Dashboard {
  const row = store.db.get<{ layout: string; config: string }>(
    'select layout, config from extras_dashboard where user_id = +?',
    actor.userId,
  )
  return row ? { layout: JSON.parse(row.layout), config: JSON.parse(row.config) } : { layout: null, config: null }
}

/**
 * Keeps members of the own dashboard, or what is to become of the one that is kept; answers all of it. Throws
 * `ApiError` for more than one user may keep.
 */
export function keepDashboard(
  call: Call,
  given: Partial<Dashboard> | ((kept: Dashboard) => Partial<Dashboard>),
): Promise<Dashboard> {
  return transact(call, () => {
    const kept = keptDashboard(call)
    const { layout, config } = { ...kept, ...bounded(typeof given === 'function' ? given(kept) : given) }
    const is = { layout: sortKeysByLength(layout ?? []), config: sortKeysByLength(config ?? {}) }
    const columns = [JSON.stringify(is.layout), JSON.stringify(is.config), call.actor.userId]
    const { changes } = call.store.db.run(
      'update extras_dashboard set layout = ?, config = ? where user_id = ?',
      ...columns,
    )
    if (changes === 0)
      call.store.db.run('insert into extras_dashboard (layout, config, user_id) values (?, ?, ?)', ...columns)
    return is
  })
}

/** Forgets the own dashboard. */
export const dropDashboard = (call: Call): Promise<unknown> =>
  transact(call, () => call.store.db.run('delete from extras_dashboard where user_id = ?', call.actor.userId))

/** `extras/dashboard/`: the own dashboard, kept for clients that have one; nulls when there is none. */
export async function dashboard(call: Call): Promise<Answer> {
  if (call.actor.userId === null) throw forbidden('Authentication credentials were not provided.')
  const action = Actions[call.method]!
  demand(call, action, modelNamed('extras.dashboard'))
  if (action === 'view') return jsonAnswer(200, keptDashboard(call))
  if (action === 'delete') {
    await dropDashboard(call)
    return { status: 204, body: null }
  }
  return jsonAnswer(200, await keepDashboard(call, checked(await readRequestBody(call), call.method === 'PUT')))
}

/** What one user may keep in each member. */
const Bounds = { bytes: 262_144, depth: 16 }

function bounded(given: Partial<Dashboard>): Partial<Dashboard> {
  const errors = Object.entries(given).flatMap(([name, value]) => {
    const excess = excessOfJson(value, Bounds)
    return excess ? [[name, [excess]]] : []
  })
  if (errors.length) throw new ApiError(400, Object.fromEntries(errors))
  return given
}

/**
 * The members that a body gives. Throws `ApiError` for others than JSON lists and objects, and for missing ones when it
 * has to be whole.
 */
function checked(body: unknown, whole: boolean): Partial<Dashboard> {
  if (!isObject(body)) throw new ApiError(400, { non_field_errors: ['Expected an object.'] })
  const given = Object.fromEntries(
    Members.filter((name) => Object.hasOwn(body, name)).map((name) => [name, (body as Record<string, unknown>)[name]]),
  )
  const errors = Members.filter((name) =>
    name in given ? typeof given[name] !== 'object' || given[name] === null : whole,
  )
  if (errors.length)
    throw new ApiError(
      400,
      Object.fromEntries(
        errors.map((name) => [
          name,
          [name in given ? 'Value must be a JSON list or object.' : 'This field is required.'],
        ]),
      ),
    )
  return given
}
