import { modelNamed } from '../registry/catalog.ts'
import { excessOfJson, sortKeysByLength } from '../tools/json.ts'
import { readRequestBody } from './body.ts'
import { type Answer, ApiError, type Call, forbidden, jsonAnswer } from './request.ts'
import { demand, transact } from './resource.ts'

interface Dashboard {
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

/** `extras/dashboard/`: the own dashboard, kept for clients that have one; nulls when there is none. */
export async function dashboard(call: Call): Promise<Answer> {
  const { db } = call.store
  const user = call.actor.userId
  if (user === null) throw forbidden('Authentication credentials were not provided.')
  const action = Actions[call.method]!
  demand(call, action, modelNamed('extras.dashboard'))
  const stored = (): Dashboard => {
    const row = db.get<{ layout: string; config: string }>(
      'select layout, config from extras_dashboard where user_id = +?',
      user,
    )
    return row ? { layout: JSON.parse(row.layout), config: JSON.parse(row.config) } : { layout: null, config: null }
  }
  if (action === 'view') return jsonAnswer(200, stored())
  if (action === 'delete') {
    await transact(call, () => db.run('delete from extras_dashboard where user_id = ?', user))
    return { status: 204, body: null }
  }
  const given = bounded(checked(await readRequestBody(call), call.method === 'PUT'))
  return jsonAnswer(
    200,
    await transact(call, () => {
      const { layout, config } = { ...stored(), ...given }
      const is = { layout: sortKeysByLength(layout ?? []), config: sortKeysByLength(config ?? {}) }
      db.run(
        'insert into extras_dashboard (user_id, layout, config) values (?, ?, ?) on conflict (user_id) do update set layout = excluded.layout, config = excluded.config',
        user,
        JSON.stringify(is.layout),
        JSON.stringify(is.config),
      )
      return is
    }),
  )
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

/** The members that a body gives. Throws `ApiError` for others than JSON lists and objects, and for missing ones when it has to be whole. */
function checked(body: unknown, whole: boolean): Partial<Dashboard> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError(400, { non_field_errors: ['Expected an object.'] })
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
