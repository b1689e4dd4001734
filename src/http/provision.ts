import { modelNamed } from '../engine/catalog.ts'
import { Refused } from '../declare/behaviour.ts'
import { create } from '../store/write.ts'
import { readRequestBody } from './body.ts'
import { Authenticator } from './auth.ts'
import { type Answer, type Call, forbidden, jsonAnswer } from './request.ts'
import { secondFactorOf } from '../services/second-factor.ts'
import { digestOfPassword, isUserCode, userByPassword } from './password.ts'
import { demand, demandOn, transact, writingFor } from './resource.ts'

/** Members of the answer, in their order. */
export const Provisioned = [
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

/** A token for a username and a password. */
export async function provision(call: Call): Promise<Answer> {
  const body = (await readRequestBody(call)) as Record<string, unknown>
  const missing = ['username', 'password'].filter((key) => typeof body?.[key] !== 'string' || body[key] === '')
  if (missing.length)
    throw new Refused(400, Object.fromEntries(missing.map((key) => [key, ['This field is required.']])))
  if (!call.config.localLogin) throw forbidden('Nobody gets a token for a password here.')
  const { username, password, otp, ...rest } = body
  const user = await userByPassword(call, username as string, password as string)
  if (user === undefined) throw forbidden('Invalid username/password')
  const right = digestOfPassword(call, user)
  if (secondFactorOf(call.store, user)) {
    if (typeof otp !== 'string' || otp === '')
      throw forbidden('This user has a second factor: send a one-time code as "otp".')
    if (!(await isUserCode(call, user, otp))) throw forbidden('Invalid one-time code')
  }
  const authenticator = new Authenticator(call.store, call.config)
  const renew = () => authenticator.actorOf(user, true)
  const own = { ...call, actor: renew(), renew }
  const m = modelNamed('users.token')
  demand(own, 'add', m)
  const written = await transact(own, () => {
    if (digestOfPassword(call, user) !== right) throw forbidden('Invalid username/password') // changed meanwhile
    const made = create(writingFor(own), m, { ...rest, user }, { mode: 'create' })
    demandOn(own, 'add', m, made.id)
    return made
  })
  const row = JSON.parse(call.store.reader.one(m, written.id, {}, call.base)!) as object
  const shown = { ...row, ...written.shownOnce } as Record<string, unknown>
  return jsonAnswer(201, Object.fromEntries(Provisioned.map((name) => [name, shown[name]])))
}
