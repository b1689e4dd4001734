import { modelNamed } from '../registry/catalog.ts'
import { Refused } from '../registry/behaviour.ts'
import { verifyPassword } from '../domain/passwords.ts'
import { create } from '../store/write.ts'
import { readRequestBody } from './body.ts'
import { Authenticator } from './auth.ts'
import { type Answer, type Call, forbidden, jsonAnswer } from './request.ts'
import { transact, writingFor } from './resource.ts'

/** Members of the answer, in their order. */
const Shown = [
  'id',
  'url',
  'display_url',
  'display',
  'version',
  'user',
  'key',
  'created',
  'expires',
  'last_used',
  'enabled',
  'write_enabled',
  'description',
  'allowed_ips',
  'token',
]

/** A token for a username and a password (SPEC 4.14). */
export async function provision(call: Call): Promise<Answer> {
  const body = (await readRequestBody(call)) as Record<string, unknown>
  const missing = ['username', 'password'].filter((key) => typeof body?.[key] !== 'string' || body[key] === '')
  if (missing.length)
    throw new Refused(400, Object.fromEntries(missing.map((key) => [key, ['This field is required.']])))
  const user = call.store.db.get<{ id: number; password: string; is_active: number }>(
    'select id, password, is_active from users_user where username = ?',
    body.username,
  )
  const matches = await verifyPassword(user?.password ?? '', body.password as string)
  if (!user || !matches || !user.is_active) throw forbidden('Invalid username/password')
  const actor = new Authenticator(call.store, call.config).actorOf(user.id, true)
  if (!actor.superuser && !actor.grants.has('users.add_token')) throw forbidden()
  const { username, password, ...rest } = body
  void [username, password]
  const m = modelNamed('users.token')
  const written = await transact(call, () =>
    create(writingFor({ ...call, actor }), m, { ...rest, user: user.id }, { mode: 'create' }),
  )
  const row = JSON.parse(call.store.reader.one(m, written.id, {}, call.base)!.toString()) as object
  const shown = { ...row, ...written.revealed } as Record<string, unknown>
  return jsonAnswer(201, Object.fromEntries(Shown.map((name) => [name, shown[name]])))
}
