import { type Action, Refused } from '../declare/behaviour.ts'
import { modelNamed, stepOf } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { may } from '../engine/actor.ts'
import { readRequestBody } from './body.ts'
import { limitOf, shownTo } from './lists.ts'
import { type Answer, badMethod, type Call, described, forbidden, jsonAnswer, notFound } from './request.ts'
import { demand, messageOf, transact, writingFor } from './resource.ts'
import { pairsOf } from '../store/pairs.ts'

/** Whether `format` or the Accept header names plain text before JSON. */
function wantsText(call: Call): boolean {
  const types = (call.request.headers.get('accept') ?? '')
    .split(',')
    .map((part) => part.split(';')[0]!.trim().toLowerCase())
  return (
    call.query.get('format') === 'txt' ||
    types
      .find((type) => ['text/plain', 'text/*', 'application/json', 'application/*', '*/*'].includes(type))
      ?.startsWith('text/') === true
  )
}

/** The body of an action, with the messages for the change records of what it makes as texts. */
function signed(body: unknown): unknown {
  const one = (item: unknown): unknown =>
    typeof item === 'object' && item !== null && 'changelog_message' in item
      ? { ...item, changelog_message: messageOf(item) }
      : item
  return Array.isArray(body) ? body.map(one) : one(body)
}

/** Answers a request for a model's extra endpoint, `<path>/<id>/<name>/`. */
export async function onAction(call: Call, m: AnyModel, id: number | undefined, name: string): Promise<Answer> {
  const action = m.behaviour.actions![name]!
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  if (call.method === 'OPTIONS') return described(name)
  if (!(isRead ? action.get : call.method === 'POST' ? action.post : undefined)) throw badMethod(call.method)
  if (!isRead) demandAction(call, m, action.post!) // once more when the body is there: permissions may end meanwhile
  const made = action.post?.of // what the form is of, where it makes objects
  const body = isRead ? undefined : await readRequestBody(call, made === undefined ? undefined : modelNamed(made))
  return runAction(call, m, id, { name, method: isRead ? 'GET' : 'POST', body })
}

/** 403 for who may do this to no object, but where that is not told. */
function demandAction(call: Call, m: AnyModel, verb: NonNullable<Action['get'] | Action['post']>): void {
  if (!('unseen' in verb && verb.unseen)) demand(call, verb.permission, verb.of ? modelNamed(verb.of) : m)
}

/** Runs an action of a model with a body that is read already. Throws `ApiError` and `Refused`. */
export async function runAction(
  call: Call,
  m: AnyModel,
  id: number | undefined,
  { name, method, body: given }: { name: string; method: 'GET' | 'POST'; body: unknown },
): Promise<Answer> {
  const action = m.behaviour.actions![name]!
  const isRead = method === 'GET'
  const verb = isRead ? action.get : action.post
  if (!verb) throw badMethod(method)
  const body = verb.of ? signed(given) : given
  if (!call.actor.writes && !isRead) throw forbidden()
  const { permission, of: on } = verb
  demandAction(call, m, verb)
  const run = () => {
    if (
      id !== undefined &&
      ['view', ...(on ? [] : [permission])].some((what) => call.store.reader.mayOn(call.actor, what, m, id) !== true)
    )
      throw notFound(m.objectName)
    const w = writingFor(call)
    return verb.run({
      id: id ?? 0,
      query: call.query,
      body,
      base: call.base,
      wantsText: wantsText(call),
      tools: {
        ...w.tools,
        ...shownTo(call),
        step: stepOf,
        pairs: (model, relation, ids) => pairsOf(call.store.db, model, relation, ids),
        demand: (what, model) => {
          if (!may(call.actor, what, modelNamed(model)))
            throw new Refused(403, { detail: 'You do not have permission to perform this action.' })
        },
        limit: (query) => limitOf({ query, config: call.config }) ?? 2 ** 31,
      },
    })
  }
  const answer = isRead ? await run() : await transact(call, run)
  if (answer.text !== undefined)
    return { status: answer.status, body: answer.text, headers: { 'content-type': answer.type ?? 'application/json' } }
  return jsonAnswer(answer.status, answer.json)
}
