import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from 'hono'
import { may } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import { BundleError } from '../history/bundle.ts'
import { clearClones, makeClone } from '../history/clone.ts'
import type { Undone } from '../history/recorded.ts'
import { kitOf, makePull, noteSeen, readPush, takePush, type KitRow } from '../history/source.ts'
import { Version } from '../lib/version.ts'
import { filesOf } from '../store/data-folder.ts'
import { selfOf } from '../store/kit.ts'
import { idOf } from '../store/references.ts'
import { alreadySent } from './already-sent.ts'
import { readBytes, readRequestBody } from './body.ts'
import { demandToday } from './moment.ts'
import {
  type Answer,
  ApiError,
  badMethod,
  type Call,
  described,
  type Env,
  forbidden,
  jsonAnswer,
  noSuchPage,
  notFound,
} from './request.ts'
import { transact, writingFor } from './resource.ts'
import { textOfJson } from '../lib/json.ts'

/** What `work` answers; what is wrong with a bundle or a kit is a 409 with one line. */
async function orConflict<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BundleError) throw new ApiError(409, { detail: error.message })
    throw error
  }
}

/** The kit that a path names, for those who may synchronize it. */
function kitIn(call: Call, id: number): Promise<KitRow> {
  const m = modelNamed('core.kit')
  if (!call.actor.writes) throw forbidden('This token may only read: a pull, or a push, takes one that may write.')
  if (!may(call.actor, 'sync', m))
    throw forbidden('You do not have permission to perform this action. It takes the permission to sync kits.')
  if (call.store.reader.mayOn(call.actor, 'sync', m, id) !== true) throw notFound(m.objectName)
  return orConflict(() => kitOf(call.store.db, id))
}

/**
 * `POST core/kits/<id>/pull/`: what changed since a step that the kit knows of, as a bundle; 410 where only a new clone
 * tells.
 */
export async function pullKit(call: Call, id: number): Promise<Answer> {
  if (call.method === 'OPTIONS') return described('pull', 'Answers what changed since a kit was told last.')
  if (call.method !== 'POST') throw badMethod(call.method)
  await kitIn(call, id)
  const body = ((await readRequestBody(call)) ?? {}) as Record<string, unknown>
  const kit = await kitIn(call, id)
  const step = idOf(body.step)
  if (step === undefined) throw new ApiError(400, { step: ['A valid integer is required.'] })
  const [time, version] = [textOfJson(body.time ?? '').slice(0, 40), textOfJson(body.version ?? '').slice(0, 40)]
  const bytes = await orConflict(() => makePull(call.store, kit, step, time))
  await transact(call, () => noteSeen(call.store.db, id, step, time, version))
  await clearClones(filesOf(call.config.data).kits, id) // what was fetched arrived, or is told again
  if (!bytes)
    throw new ApiError(410, {
      detail: 'The change log does not reach back to what this kit knows: all of it is to be compared.',
      whole: true,
    })
  return { status: 200, body: bytes, headers: { 'content-type': 'application/octet-stream' } }
}

/**
 * `POST core/kits/<id>/push/`: makes the changes of a kit here; 409 with the conflicts where that cannot be.
 * `?dry_run=1` only tries.
 */
export async function pushKit(call: Call, id: number): Promise<Answer> {
  if (call.method === 'OPTIONS') return described('push', 'Takes the changes of a kit.')
  if (call.method !== 'POST') throw badMethod(call.method)
  await kitIn(call, id)
  const bytes = await readBytes(call, true)
  await kitIn(call, id)
  const isTrial = call.query.has('dry_run')
  const read = await orConflict(() => readPush(call.store, bytes, true, id))
  const take = () =>
    takePush(writingFor(call, `Pushed from the kit ${read.kit.name}`), read, { decide: () => undefined, isTrial })
  const pushed = await orConflict(() => transact(call, take, 'tentative'))
  const { conflicts, changes, objects, isKnown } = pushed
  if (conflicts.length)
    return jsonAnswer(409, {
      detail: 'Nothing was taken: what the kit changed was changed here too. Pull, and settle what is open.',
      conflicts,
    })
  return jsonAnswer(200, {
    push: read.bundle.header.push,
    known: isKnown,
    objects,
    dry_run: isTrial,
    counts: countsOf(changes),
    changes: changes.slice(0, MaxShown),
  })
}
/** Changes that an answer lists at most; it counts all of them. */
const MaxShown = 1000
const countsOf = (changes: readonly Undone[]): Record<string, Record<string, number>> => {
  const counts: Record<string, Record<string, number>> = {}
  for (const { changed_object_type, action } of changes) {
    counts[changed_object_type] ??= {}
    counts[changed_object_type][action] = (counts[changed_object_type][action] ?? 0) + 1
  }
  return counts
}

/** A copy holds the secrets of all: who may only read, by a token, reads no other token in it. */
function demandCloning(call: Call): void {
  demandToday(call)
  if (!call.actor.superuser) throw forbidden('Only administrators clone.')
  if (!call.actor.writes) throw forbidden()
}

/**
 * `GET core/kits/<id>/clone/`: makes a copy of everything for a kit, and says where it can be fetched, and the key that
 * signs what goes to and fro.
 */
export async function cloneKit(call: Call, id: number): Promise<Answer> {
  if (call.method === 'OPTIONS') return described('clone', 'Makes a copy of everything for a kit.')
  if (call.method !== 'GET') throw badMethod(call.method)
  demandCloning(call)
  const m = modelNamed('core.kit')
  if (call.store.reader.mayOn(call.actor, 'sync', m, id) !== true) throw notFound(m.objectName)
  const kit = await orConflict(() => kitOf(call.store.db, id))
  if (selfOf(call.store.db)) throw new ApiError(409, { detail: 'This is a kit itself: clone from its source.' })
  const { database, kits, peppers } = filesOf(call.config.data)
  const { name, bytes } = await makeClone(
    { database, uploads: call.store.uploads, folder: kits, version: Version },
    kit,
    peppers,
  )
  await call.store.commit.synced() // a kit must not know what a power cut takes from its source
  return jsonAnswer(200, { url: `${call.base}/api/core/kits/${id}/clone/${name}/`, bytes, key: kit.key })
}

/** `GET core/kits/<id>/clone/<file>/`: the copy, until the kit pulls; a Range goes on where it was broken off. */
export async function fetchClone(c: Context<Env>): Promise<Response> {
  const call = c.get('call')
  demandCloning(call)
  const { id, file } = c.req.param() as { id: string; file: string }
  const path = join(filesOf(call.config.data).kits, file)
  const size = file.startsWith(`${id}-`) ? statSync(path, { throwIfNoEntry: false })?.size : undefined
  if (size === undefined || !call.outgoing) throw noSuchPage()
  await orConflict(() => kitOf(call.store.db, Number(id)))
  const from = Number(/^bytes=(\d+)-$/.exec(call.request.headers.get('range') ?? '')?.[1] ?? 0)
  if (from > size) throw new ApiError(416, { detail: 'The file is shorter.' })
  const { outgoing } = call
  outgoing.writeHead(from > 0 ? 206 : 200, {
    ...c.get('common'),
    'content-type': 'application/octet-stream',
    'content-length': size - from,
    ...(from > 0 ? { 'content-range': `bytes ${from}-${size - 1}/${size}` } : {}),
  })
  // Whoever fetches it comes back for the rest.
  void pipeline(createReadStream(path, { start: from }), outgoing).catch(() => undefined)
  return alreadySent()
}
