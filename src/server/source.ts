import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { logWarning } from '../lib/log.ts'
import { CarriedFiles } from '../services/carried-files.ts'
import { type Keeping, Litestream, partsOf } from '../services/litestream.ts'
import { type Heartbeat, HeartbeatFile, readHeartbeat } from '../services/heartbeat.ts'
import { DataError, filesOf } from '../store/data-folder.ts'
import type { Store } from '../store/open.ts'
import { epochOf, type Role, setEpoch } from '../store/replication.ts'

/** Milliseconds between two looks at whether something was written, and between two heartbeats while nothing is. */
const Beat = { look: 1000, idle: 5000 }
/** Milliseconds between two looks at what lies at the replica's place, and its age from which on that is said. */
const Look = { each: 20_000, late: 120_000 }

/** Rejects where the place knows of a later epoch than a folder's: its data were left behind. */
async function demandNewest(litestream: Litestream, { data, epoch, place }: Folder): Promise<void> {
  const file = join(filesOf(data).replica, 'seen.db')
  try {
    if (!(await litestream.restore('pulse', epoch + 1, file))) return
    const later = readHeartbeat(file)
    const since = later ? ` since ${new Date(later.time).toISOString()} or earlier` : ''
    throw new DataError(
      `another server has taken over from ${data}${since} (epoch ${epoch + 1} at ${place}, this is ${epoch}): ` +
        'cabinet serve --follow with --set-aside makes this folder follow it',
    )
  } finally {
    rmSync(file, { force: true })
  }
}
interface Folder {
  data: string
  epoch: number
  place: string
}

/**
 * The side of a server that is copied elsewhere: it carries its files along, writes heartbeats, and notices when
 * another took over.
 */
export class Source {
  readonly #store: Store
  readonly #config: Config
  readonly #role: Role
  readonly #litestream: Litestream
  readonly #files: CarriedFiles
  readonly #heartbeat: HeartbeatFile
  readonly epoch: number
  /** Why nothing may be written any more; undefined where all is well. */
  overtaken: string | undefined
  /** The newest heartbeat that lies at the place; undefined before it was looked at, and where it cannot be read. */
  arrived: Heartbeat | undefined
  #keeping: Keeping | undefined
  #last: Heartbeat | undefined
  #taken: number | undefined
  #timers: NodeJS.Timeout[] = []
  #work: Promise<unknown> = Promise.resolve()
  #isEnding = false
  #isLate = false

  private constructor(store: Store, role: Role) {
    this.#store = store
    this.#config = store.config
    this.#role = role
    this.epoch = epochOf(store.db.raw)?.epoch ?? 1
    const { data, litestream } = store.config
    this.#litestream = new Litestream(litestream, data, role)
    const { files, pulse } = partsOf(data)
    this.#files = new CarriedFiles(data, files)
    this.#heartbeat = new HeartbeatFile(pulse)
  }

  /** Throws `DataError` where another server has taken over; where that cannot be told now, it is found out later. */
  static async begin(store: Store, role: Role): Promise<Source> {
    const source = new Source(store, role)
    try {
      await source.#demandNewest()
    } catch (error) {
      if (error instanceof DataError) {
        source.#close()
        throw error
      }
      source.#warn('the place of the replica cannot be looked at', error)
    }
    setEpoch(store.db.raw, source.epoch) // what was written without being counted counts as one more version
    return source
  }

  /** Copies from now on. */
  start(): void {
    this.#keeping = this.#litestream.keep(this.epoch, (reason) => this.#warn('litestream ended', reason))
    this.#again(Beat.look, () => this.#beat())
    this.#again(Look.each, () => this.#look())
  }

  /** Whether Litestream runs. */
  get isRunning(): boolean {
    return this.#keeping?.isRunning() === true
  }

  /** Seconds that what lies at the place is older than what is here; undefined where nobody knows. */
  get lag(): number | undefined {
    const [last, there] = [this.#last, this.arrived]
    if (!last || !there) return undefined
    return there.version >= last.version ? 0 : Math.max(0, (Date.now() - there.time) / 1000)
  }

  /** Writes a last heartbeat, and waits until all is copied. */
  async stop(): Promise<void> {
    this.#isEnding = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#work
    if (!this.overtaken) await this.#beat(true)
    await this.#keeping?.end()
    this.#close()
  }

  #close(): void {
    this.#files.close()
    this.#heartbeat.close()
  }

  /** Does `work` again and again, with so many milliseconds between. */
  #again(ms: number, work: () => Promise<void>): void {
    const at = this.#timers.length
    const later = (): void => {
      this.#timers[at] = setTimeout(() => {
        this.#work = Promise.all([this.#work, work().catch((error) => this.#warn('the replica is not kept up', error))])
        void this.#work.then(() => this.#isEnding || this.overtaken !== undefined || later())
      }, ms).unref()
    }
    later()
  }

  async #beat(isLast = false): Promise<void> {
    const time = Date.now()
    const { version } = epochOf(this.#store.db.raw)!
    const last = this.#last
    if (last?.version === version && this.#taken === version && time - last.time < Beat.idle && !isLast) return
    if (this.#taken !== version && (await this.#files.take())) this.#taken = version
    this.#last = { time, epoch: this.epoch, version, files: this.#files.version }
    this.#heartbeat.beat(this.#last)
  }

  /** What came of it all is seen where it was to go. */
  async #look(): Promise<void> {
    try {
      await this.#demandNewest()
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      this.overtaken = error.message
      this.#warn('nothing is written any more', error)
      await this.#keeping?.end()
      return
    }
    const file = join(filesOf(this.#config.data).replica, 'arrived.db')
    this.arrived = (await this.#litestream.restore('pulse', this.epoch, file)) ? readHeartbeat(file) : undefined
    rmSync(file, { force: true })
    const isLate = !this.arrived || Date.now() - this.arrived.time > Look.late
    if (isLate && !this.#isLate && this.#last)
      this.#warn('the replica falls behind', this.arrived ? new Date(this.arrived.time).toISOString() : 'it is empty')
    this.#isLate = isLate
  }

  #demandNewest(): Promise<void> {
    const { data } = this.#config
    return demandNewest(this.#litestream, { data, epoch: this.epoch, place: this.#role.place })
  }

  #warn(message: string, reason: unknown): void {
    logWarning(this.#config, message, { reason: reason instanceof Error ? reason.message : reason })
  }
}
