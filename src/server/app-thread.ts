// A thread of the server: the whole application over a connection of its own to the same database, which only reads or
// also writes.
import { existsSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { getRequestListener } from '@hono/node-server'
import { Authenticator } from '../http/auth.ts'
import { indexPast, makePast } from '../history/past.ts'
import { keepAddonsIn } from '../lib/addons.ts'
import { Events } from '../services/events.ts'
import type { NoCommitter } from '../store/commit.ts'
import { selfOf } from '../store/kit.ts'
import { openAgain, type Place } from '../store/open.ts'
import { indexOnDemand } from '../store/search-later.ts'
import { createApp } from './app.ts'
import {
  type FromThread,
  incomingOf,
  RequestBodies,
  ThreadAnswer,
  type ThreadRequest,
  type ToThread,
} from './thread-requests.ts'
import { refusal } from './refusal.ts'

/** What a thread is told when it starts. */
export interface AppThreadData {
  place: Place
  writes: boolean
  /** How many of its kind there are. */
  threads: number
  /** Where the place is to hold an earlier state of another; `later`: the file of one between, if there is one. */
  past?: { live: Place; step: number; later?: string }
}

const port = parentPort!
const { place, writes, threads, past } = workerData as AppThreadData
const say = (message: FromThread, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

keepAddonsIn(place.config.data)
if (past && !existsSync(place.file)) {
  const { live, step, later = '' } = past
  void makePast(existsSync(later) ? { ...live, file: later } : live, step, place.file).then(serve)
} else serve()

function serve(): void {
  const store = openAgain(place, { writes, threads })
  /** Who asks is what they are today, whatever they were then. */
  const live = past ? openAgain(past.live, { writes: false, threads: 1 }) : store
  if (past)
    indexOnDemand(store.db, () => {
      store.db.run('commit') // of a state that stays what it is
      indexPast(place)
      store.db.run('begin')
    })
  const authenticator = new Authenticator(live, place.config, (used) => say({ used }))
  const listener = getRequestListener(createApp(store, place.config, authenticator).fetch, {
    errorHandler: refusal,
    overrideGlobalObjects: true,
  })
  const bodies = new RequestBodies()
  let current: ThreadAnswer | undefined
  let asked = -1
  /** Begins the transaction that waits for its turn. */
  let begin = (): void => {}

  if (writes) {
    if (!selfOf(store.db)) new Events(store).watch()
    store.commit.turn = () =>
      new Promise((resolve) => {
        begin = resolve
        say({ turn: 'wanted' })
      })
    store.commit.turnOver = () => say({ turn: 'over' })
  } else {
    store.db.explain = () => true // the first thread tells of everything
    ;(store.commit as NoCommitter).refused = () => {
      current?.drop()
      if (asked >= 0) say({ id: asked, elsewhere: true })
      asked = -1
    }
  }

  port.on('message', (message: ToThread) => {
    if ('request' in message) void take(message.request)
    else if ('changes' in message)
      void inTurn(() => {
        for (const change of message.changes) store.db.changed(change)
      })
    else if ('reopen' in message) void inTurn(() => live.reopen(message.reopen))
    else if ('turn' in message) begin()
    else if ('stop' in message) {
      store.close()
      process.exit()
    } else bodies.take(message)
  })
  void store.disk.watch().then(() => say({ ready: true }))

  /**
   * One at a time where nothing is written: so each request sees one state of the data from beginning to end, and what
   * was committed during one is told before the next, so that nothing that was kept of the state before outlives it.
   */
  function inTurn(work: () => void | Promise<void>): Promise<void> {
    before = before.then(work)
    return before
  }
  let before: Promise<void> = Promise.resolve()

  const take = (request: ThreadRequest): Promise<void> => (writes ? run(request) : inTurn(() => run(request)))

  async function run(request: ThreadRequest): Promise<void> {
    const outgoing = new ThreadAnswer(request.id, say)
    const incoming = incomingOf(request, () => say({ id: request.id, wants: true }))
    if (request.hasBody) bodies.add(request.id, incoming)
    if (!writes) {
      current = outgoing
      asked = request.id
      if (past) live.db.sync()
      store.db.run('begin')
    }
    try {
      await listener(incoming, outgoing as never)
    } finally {
      if (!writes) store.db.run('commit')
    }
  }
}
