import { isObject } from '../lib/json.ts'
import { Refused } from '../declare/behaviour.ts'
import { modelNamed } from '../engine/catalog.ts'
import { may } from '../engine/actor.ts'
import { modelOrNone, revert, type Which } from '../history/revert.ts'
import { parseDateTime, storedMoment } from '../lib/datetime.ts'
import { idOf } from '../store/references.ts'
import { readRequestBody } from './body.ts'
import { type Answer, badMethod, type Call, described, forbidden, jsonAnswer } from './request.ts'
import { messageOf, transact, writingFor } from './resource.ts'

const Members = ['request_id', 'id', 'since', 'user', 'model', 'force', 'leave_out', 'dry_run', 'changelog_message']

/** `POST core/object-changes/revert/`: takes back a request, a change, or what was done since a moment. */
export async function revertChanges(call: Call): Promise<Answer> {
  if (call.method === 'OPTIONS') return described('revert', 'Takes changes back, as a request of its own.')
  if (call.method !== 'POST') throw badMethod(call.method)
  demandRevert(call)
  const body = await readRequestBody(call)
  demandRevert(call)
  if (!isObject(body)) throw new Refused(400, { non_field_errors: ['Invalid data. Expected a dictionary.'] })
  const wish = body as Record<string, unknown>
  return revertAs(call, whichOf(wish), {
    force: textsOf(wish, 'force'),
    leaveOut: textsOf(wish, 'leave_out'),
    isTrial: flagOf(wish, 'dry_run'),
    message: messageOf(wish),
  })
}

/** 403 for who may not write, or not see changes. */
export function demandRevert(call: Call): void {
  if (!call.actor.writes || !may(call.actor, 'view', modelNamed('core.objectchange'))) throw forbidden()
}

/** Takes changes back, or tries it: 200 with what was done, 409 with the collisions. */
export async function revertAs(
  call: Call,
  which: Which,
  { force, leaveOut, isTrial, message }: { force: string[]; leaveOut: string[]; isTrial: boolean; message: string },
): Promise<Answer> {
  const outcome = await transact(
    call,
    () => revert(writingFor(call, message || reasonOf(which)), which, { force, leaveOut }, isTrial),
    'tentative',
  )
  if (outcome.collisions.length)
    return jsonAnswer(409, {
      detail: 'Nothing was taken back: others changed the same since. Name what to force or to leave out.',
      collisions: outcome.collisions,
    })
  return jsonAnswer(200, { request_id: isTrial ? null : call.requestId, dry_run: isTrial, changes: outcome.undone })
}

function reasonOf(which: Which): string {
  if ('requests' in which)
    return `Undo of ${which.requests.length > 1 ? `${which.requests.length} requests` : `request ${which.requests[0]}`}`
  return 'change' in which ? `Undo of change ${which.change}` : `Undo of what was done since ${which.since}`
}

const wrong = (name: string, text: string): Refused => new Refused(400, { [name]: [text] })

function whichOf(wish: Record<string, unknown>): Which {
  const strange = Object.keys(wish).find((name) => !Members.includes(name))
  if (strange) throw wrong(strange, 'This field is not known.')
  const given = ['request_id', 'id', 'since'].filter((name) => wish[name] !== undefined)
  if (given.length !== 1) throw new Refused(400, { detail: 'Name what to take back: one of request_id, id and since.' })
  if (wish.id !== undefined) {
    const change = idOf(wish.id)
    if (change === undefined) throw wrong('id', 'A valid integer is required.')
    return { change }
  }
  if (wish.since !== undefined) {
    const since = typeof wish.since === 'string' ? parseDateTime(wish.since) : undefined
    if (!since) throw wrong('since', 'A moment is required, as 2026-11-01T12:00:00Z.')
    const user = textOf(wish, 'user')
    const model = textOf(wish, 'model')
    if (model !== undefined && !modelOrNone(model)) throw wrong('model', 'There is no such model.')
    return { since: storedMoment(since), user, model }
  }
  const requests = [wish.request_id].flat()
  const isOne = (id: unknown) => typeof id === 'string' && id !== '' && id.length <= 64 // what the server did has no id
  if (!requests.length || requests.length > 1000 || !requests.every(isOne))
    throw wrong('request_id', 'A request id, or a list of at most 1000, is required.')
  return { requests: requests as string[] }
}

function textOf(wish: Record<string, unknown>, name: string): string | undefined {
  const value = wish[name]
  if (value !== undefined && typeof value !== 'string') throw wrong(name, 'Not a valid string.')
  return value
}

function textsOf(wish: Record<string, unknown>, name: string): string[] {
  const value = wish[name] ?? []
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    throw wrong(name, 'A list of texts is required.')
  return value
}

function flagOf(wish: Record<string, unknown>, name: string): boolean {
  const value = wish[name] ?? false
  if (typeof value !== 'boolean') throw wrong(name, 'Must be true or false.')
  return value
}
