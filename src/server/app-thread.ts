// A thread of the server: the whole application over a connection of its own to the same database, which only reads or
// also writes. Requests are handed to it, or it takes connections itself.
import { existsSync } from 'node:fs'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Authenticator } from '../http/auth.ts'
import { indexPast, makePast } from '../history/past.ts'
import { keepAddonsIn } from '../lib/addons.ts'
import { Events } from '../services/events.ts'
import type { NoCommitter } from '../store/no-committer.ts'
import { selfOf } from '../store/kit.ts'
import { openAgain, type Place } from '../store/open.ts'
import { indexOnDemand } from '../store/search-later.ts'
import { Acceptor, type AcceptorData } from './acceptor.ts'
import { createApp } from './app.ts'
import {
  type FromThread,
  incomingOf,
  RequestBodies,
  ThreadAnswer,
  type ThreadRequest,
  type ToThread,
} from './thread-requests.ts'
import { listenerOf } from './listener.ts'

/** What a thread is told when it starts. */
export interface AppThreadData {
  place: Place
  writes: boolean
  /** How many of its kind there are. */
  threads: number
  /** Where the place is to hold an earlier state of another; `later`: the file of one between, if there is one. */
  past?: { live: Place; step: number; later?: string }
  /** Where it is to take connections. */
  accepts?: AcceptorData
}

const port = parentPort!
const { place, writes, threads, past, accepts } = workerData as AppThreadData
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
  const listener = listenerOf(createApp(store, place.config, authenticator))
  const bodies = new RequestBodies()
  /** Called where a request that only reads was to write something. */
  let refused = (): void => {}
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
    store.db.isTold = true // by the first thread
    ;(store.commit as NoCommitter).refused = () => refused()
  }

  const acceptor = accepts && new Acceptor(place.config, accepts, { listener, read, ask: (asks) => say({ asks }) })

  /** What the first thread told of commits, and what is not known of here yet. */
  const told: Extract<ToThread, { changes: unknown }>[] = []
  const note = (): void => {
    for (const { changes, commit } of told.splice(0)) {
      if (commit !== undefined && acceptor?.follows(commit) === false) store.db.touchAll()
      for (const change of changes) store.db.changed(change)
    }
  }
  const heed = (message: ToThread): void => {
    if ('request' in message) void take(message.request)
    else if ('changes' in message) {
      if (told.push(message) === 1) void inTurn(note)
    } else if ('reopen' in message) void inTurn(() => live.reopen(message.reopen))
    else if ('turn' in message) begin()
    else if ('answered' in message) acceptor!.answered(message.answered)
    else if ('count' in message) say({ counted: acceptor!.meters.take() })
    else if ('retire' in message) void acceptor!.retire().then(end)
    else if ('stop' in message) void (acceptor?.end() ?? Promise.resolve()).then(end)
    else bodies.take(message)
  }
  port.on('message', heed)
  const end = () => {
    if (acceptor) say({ counted: acceptor.meters.take() })
    store.close()
    process.exit()
  }
  void Promise.all([store.disk.watch(), acceptor?.begin()]).then(() => say({ ready: true }))

  /**
   * Hears what the first thread told before somebody got its answer to a write: who asks here next, over a connection
   * of this thread, is to see it.
   */
  function hear(acceptor: Acceptor): void {
    for (;;) {
      const next = receiveMessageOnPort(port) as { message: ToThread } | undefined
      if (!next) break
      heed(next.message)
    }
    note()
    if (acceptor.misses()) store.db.touchAll()
  }

  /**
   * One at a time where nothing is written: so each request sees one state of the data from beginning to end, and what
   * was committed during one is told before the next, so that nothing that was kept of the state before outlives it.
   */
  function inTurn(work: () => void | Promise<void>): Promise<void> {
    before = before.then(work)
    return before
  }
  let before: Promise<void> = Promise.resolve()

  /** Does work over one state of the data, in turn; `refuse` is called where it was to write. */
  function read(work: () => void | Promise<void>, refuse: () => void): Promise<void> {
    return inTurn(async () => {
      if (acceptor) hear(acceptor)
      refused = refuse
      if (past) live.db.sync()
      store.db.run('begin')
      try {
        await work()
      } finally {
        store.db.run('commit')
        refused = () => {}
      }
    })
  }

  async function take(request: ThreadRequest): Promise<void> {
    const outgoing = new ThreadAnswer(request.id, say)
    const incoming = incomingOf(request, () => say({ id: request.id, wants: true }))
    if (request.hasBody) bodies.add(request.id, incoming)
    const work = () => listener(incoming, outgoing as never)
    if (writes) return work()
    let isRefused = false
    return read(work, () => {
      if (!isRefused) say({ id: request.id, elsewhere: true })
      isRefused = true
      outgoing.drop()
    })
  }
}
