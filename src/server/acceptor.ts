import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Common } from '../http/request-context.ts'
import { threadTime } from '../lib/thread-time.ts'
import type { Config } from '../config.ts'
import { CommitNumber } from '../store/commit-number.ts'
import { balanced } from './balanced.ts'
import { Board, type BoardData } from './board.ts'
import { compressing } from './compress.ts'
import { boundConnections } from './connections.ts'
import { Costs, kindOf } from './costs.ts'
import { forward } from './forward.ts'
import { costIn, type InnerDoor, onBehalf } from './inner-door.ts'
import { finish, listenOn, type Secrets, serverOf, stopListening } from './listening.ts'
import { metered, Meters } from './meters.ts'
import { isForFirst, isShortWrite, Slow } from './placing.ts'
import { type AnswerPart, answer, threadRequest, type ThreadRequest } from './thread-requests.ts'

/** What a thread that takes connections is told. */
export interface AcceptorData {
  host: string | undefined
  port: number
  secrets: Secrets | undefined
  door: InnerDoor
  board: BoardData
  /** Its number on the board. */
  thread: number
  /** Where the number of the last commit is read, see `CommitNumber`. */
  descriptor: number
}

/** How its thread has a request answered. */
interface Answering {
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>
  /**
   * Does `work` over one state of the data, when it is its turn. `refused` is called when it was to write something,
   * before anything is answered.
   */
  read: (work: () => Promise<void> | void, refused: () => void) => Promise<void>
  /** Has the first thread answer a request: `Acceptor.answered` is told. */
  ask: (request: ThreadRequest) => void
}

/** Milliseconds within which the body of a short request comes, after its head. */
const LateBody = 50

/** Milliseconds between two times that the board is told how busy the thread is. */
const Look = 250

/**
 * Takes connections of the server's port: answers reads that are quick, and hands all else to the first thread.
 */
export class Acceptor {
  readonly #config: Config
  readonly #data: AcceptorData
  readonly #answering: Answering
  readonly #board: Board
  readonly #commits: CommitNumber
  /** The last commit that was told. */
  #told = 0
  readonly #server: Server
  readonly #costs = new Costs()
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  readonly meters: Meters
  /** Requests whose turn has not come. */
  readonly #waiting = new Set<{ handOn: () => void }>()
  #impatience: NodeJS.Timeout | undefined
  /** The one whose turn it is, or was last, and when it began. */
  #current = { kind: '', since: 0 }
  #looking: NodeJS.Timeout | undefined

  constructor(config: Config, data: AcceptorData, answering: Answering) {
    this.#config = config
    this.#data = data
    this.#board = new Board(data.board, data.thread)
    this.#commits = new CommitNumber(data.descriptor)
    this.#answering = answering
    this.meters = new Meters(config.basePath)
    const listener = metered(this.meters, compressing(balanced(this.#board, this.#take)))
    this.#server = serverOf(config, listener, data.secrets)
    boundConnections(this.#server, config, this.#board)
  }

  /** Begins to take connections. Rejects where the port cannot be shared. */
  async begin(): Promise<void> {
    const { host, port } = this.#data
    await listenOn(this.#server, { host, port, reusePort: true })
    this.#board.accepts = true
    let before = performance.eventLoopUtilization()
    this.#looking = setInterval(() => {
      const now = performance.eventLoopUtilization()
      this.#board.busy = performance.eventLoopUtilization(now, before).utilization
      before = now
    }, Look).unref()
  }

  /** Takes no more connections, and gives away those that ask for something; answers when all are gone. */
  async retire(): Promise<void> {
    this.#board.accepts = false
    const closed = once(this.#server, 'close')
    await stopListening(this.#server)
    await closed
    await this.end()
  }

  /** Takes no more requests, and waits for those that are running. */
  async end(): Promise<void> {
    this.#board.accepts = false
    await finish(this.#server)
    clearInterval(this.#looking)
    this.#agent.destroy()
  }

  /** Notes that a commit was told. Answers whether the one before it was, too; if not, another process made that. */
  follows(commit: number): boolean {
    const follows = commit === this.#told + 1
    this.#told = commit
    return follows
  }

  /** Whether there is a commit of which nothing was told, and which nobody is about to tell; asked once of each. */
  misses(): boolean {
    const { now } = this.#commits
    if (now === this.#told || now === this.#board.coming) return false
    this.#told = now
    return true
  }

  readonly #take: RequestListener = (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming
    const { basePath } = this.#config
    const path = url.startsWith(basePath) ? url.slice(basePath.length) : url
    const kind = kindOf(method, path)
    const isRead = method === 'GET' || method === 'HEAD'
    const cost = this.#costs.of(kind) // where nobody knows, the first thread may have it answered in another
    if (isRead && !isForFirst(path) && cost !== undefined && cost < Slow) void this.#answer(incoming, outgoing, kind)
    else if (isShortWrite(incoming, path)) this.#askOnceThere(incoming, outgoing, kind)
    else this.#handOn(incoming, outgoing, kind)
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse, kind: string): Promise<void> {
    const waiting = { handOn: () => this.#handOn(incoming, outgoing, kind) }
    this.#wait(waiting)
    let muted: ReturnType<typeof mute> | undefined
    await this.#answering.read(
      async () => {
        if (!this.#waiting.delete(waiting) || outgoing.destroyed) return
        const began = threadTime()
        this.#current = { kind, since: performance.now() }
        await this.#answering.listener(incoming, outgoing)
        this.#costs.note(kind, threadTime() - began)
      },
      () => (muted ??= mute(outgoing)),
    )
    if (!muted) return
    muted.release()
    this.#handOn(incoming, outgoing, kind)
  }

  /** Has a request handed on where the one before it lasts, and waits for something itself. */
  #wait(request: { handOn: () => void }): void {
    this.#waiting.add(request)
    this.#impatience ??= setTimeout(() => {
      this.#impatience = undefined
      const all = [...this.#waiting]
      if (all.length === 0) return
      this.#waiting.clear()
      const lasted = performance.now() - this.#current.since
      if (lasted > Slow) this.#costs.note(this.#current.kind, lasted)
      for (const each of all) {
        if (lasted > Slow) each.handOn()
        else this.#wait(each)
      }
    }, Slow)
  }

  /** Has the first thread answer a short request, which costs less as a message than over a connection. */
  #ask(incoming: IncomingMessage, outgoing: ServerResponse, body?: Uint8Array): void {
    const id = ++this.#lastAsked
    this.#asked.set(id, outgoing)
    this.#answering.ask(threadRequest(id, incoming, body !== undefined, body))
  }

  /** The same once its body is there; one that lets itself be waited for is handed on as it comes. */
  #askOnceThere(incoming: IncomingMessage, outgoing: ServerResponse, kind: string): void {
    if (Number(incoming.headers['content-length'] ?? 0) === 0) {
      this.#ask(incoming, outgoing)
      return
    }
    const parts: Buffer[] = []
    const take = (part: Buffer) => parts.push(part)
    const whole = () => {
      clearTimeout(late)
      // Bytes of their own: those of a pool would take all of it along.
      this.#ask(incoming, outgoing, new Uint8Array(parts.length === 1 ? parts[0]! : Buffer.concat(parts)))
    }
    const late = setTimeout(() => {
      incoming.off('data', take).off('end', whole).pause()
      if (incoming.destroyed) return
      if (parts.length > 0) incoming.unshift(Buffer.concat(parts))
      this.#handOn(incoming, outgoing, kind)
    }, LateBody)
    incoming.on('data', take).on('end', whole)
  }
  readonly #asked = new Map<number, ServerResponse>()
  #lastAsked = 0

  /** Writes what the first thread answered. */
  answered(said: AnswerPart): void {
    const outgoing = this.#asked.get(said.id)
    if (outgoing && answer(outgoing, said)) this.#asked.delete(said.id)
  }

  #handOn(incoming: IncomingMessage, outgoing: ServerResponse, kind: string): void {
    const { door } = this.#data
    forward(incoming, outgoing, {
      to: { socketPath: door.path, agent: this.#agent, path: incoming.url ?? '/' },
      headers: onBehalf(door, incoming),
      heard: (_, headers) => {
        const cost = costIn(headers)
        if (cost !== undefined) this.#costs.note(kind, cost)
      },
      failed: () => {
        outgoing.writeHead(503, { ...Common, 'content-type': 'application/json', connection: 'close' })
        outgoing.end(JSON.stringify({ detail: 'The server is ending; ask again soon.' }))
      },
    })
  }
}

/** Has nothing of an answer sent until it is released: another thread will answer. */
function mute(outgoing: ServerResponse): { release: () => void } {
  const own = Object.getOwnPropertyDescriptors(outgoing)
  const nothing = { writeHead: () => outgoing, write: () => true, end: () => outgoing, flushHeaders: () => {} }
  Object.assign(outgoing, nothing)
  return {
    release: () => {
      for (const name of Object.keys(nothing)) {
        const before = own[name]
        if (before) Object.defineProperty(outgoing, name, before)
        else delete (outgoing as unknown as Record<string, unknown>)[name]
      }
    },
  }
}
