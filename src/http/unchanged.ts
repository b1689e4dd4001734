import { crc32 } from 'node:zlib'
import { Lru } from '../lib/lru.ts'
import type { Connection } from '../store/database.ts'
import { indentOf, rendererOf } from './negotiation.ts'
import type { Answer, Call } from './request.ts'

/** Answers of which is known what they were. */
const Remembered = 2000

/** The ETags of answers given lately, by who asked for what, and after how many changes of the database that was. */
interface Memory {
  changes: number
  readonly given: Lru<string, { etag: string; changes: number }>
}
const memories = new WeakMap<Connection, Memory>()

function memoryOf(db: Connection): Memory {
  const known = memories.get(db)
  if (known) return known
  const memory: Memory = { changes: 0, given: new Lru(Remembered) }
  db.onChange(() => {
    memory.changes++
  })
  memories.set(db, memory)
  return memory
}

/**
 * Gives the answer of a list an ETag of its content, and answers 304 to who has it already: without making it anew
 * where nothing was written since it was made. Only to who asks for it by an If-None-Match, of whatever value: clients
 * know lists without ETags. Browsers get neither, since they are shown pages under the same addresses.
 */
export function unlessUnchanged(call: Call, make: () => Answer): Answer {
  const { request, actor, store } = call
  const known = request.headers.get('if-none-match')
  if (known === null || request.headers.get('cookie') || rendererOf(call) === 'page' || indentOf(request)) return make()
  const memory = memoryOf(store.db)
  const key = `${actor.userId} ${call.base}${call.path}?${call.query}`
  const last = memory.given.get(key)
  if (last?.changes === memory.changes && isIn(known, last.etag)) return unchanged(last.etag)
  const answer = make()
  if (answer.status !== 200 || answer.body === null) return answer
  const etag = `W/"${crc32(answer.body).toString(36)}-${Buffer.byteLength(answer.body).toString(36)}"`
  memory.given.set(key, { etag, changes: memory.changes })
  return isIn(known, etag) ? unchanged(etag) : { ...answer, headers: { ...answer.headers, etag } }
}

const unchanged = (etag: string): Answer => ({ status: 304, body: null, headers: { etag } })

/** Whether an ETag is among those of an If-None-Match, which are compared without their `W/`. */
const isIn = (list: string, etag: string): boolean =>
  list.split(',').some((each) => ['*', etag, etag.slice(2)].includes(each.trim()))
