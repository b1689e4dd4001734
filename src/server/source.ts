import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { logWarning } from '../lib/log.ts'
import { CarriedFiles } from '../services/carried-files.ts'
import { Broken, type Keeping, Litestream, partsOf } from '../services/litestream.ts'
import { type Heartbeat, HeartbeatFile, readHeartbeat } from '../services/heartbeat.ts'
import { epochsFrom } from '../services/replica-epochs.ts'
import { isMarked, markOlder } from '../services/replica-place.ts'
import { DataError, filesOf } from '../store/data-folder.ts'
import type { Store } from '../store/open.ts'
import { epochOf, type Role, setEpoch } from '../store/replication.ts'

/** Milliseconds between two looks at whether something was written, and between two heartbeats while nothing is. */
const Beat = { look: 1000, idle: 5000 }
/**
 * Milliseconds between two looks at what lies at the replica's place, and its age from which on that is said; looks in
 * a row that find it lost until it is begun anew, and those of which one looks at the database too.
 */
const Look = { each: 20_000, late: 120_000, lost: 3, whole: 15 }

/**
 * The side of a server that is copied elsewhere: it carries its files along, writes heartbeats, and notices when
 * another took over.
 */
export class Source {
  readonly #store: Store
  readonly #each: number
  readonly #config: Config
  readonly #role: Role
  readonly #litestream: Litestream
  readonly #files: CarriedFiles
  readonly #heartbeat: HeartbeatFile
  epoch: number
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
  #looks = 0
  /** Since when it is copied without a break, in milliseconds since 1970. */
  #since = 0
  /** Looks in a row that found nothing of which a database can be made. */
  #lost = 0
  /** Whether anything arrived in this epoch since the server began. */
  #hasArrived = false

  private constructor(store: Store, role: Role, each: number) {
    this.#store = store
    this.#each = each
    this.#config = store.config
    this.#role = role
    this.epoch = epochOf(store.db.raw)?.epoch ?? 1
    const { data, litestream } = store.config
    this.#litestream = new Litestream(litestream, data, role)
    const { files, pulse } = partsOf(data)
    this.#files = new CarriedFiles(data, files)
    this.#heartbeat = new HeartbeatFile(pulse)
  }

  /**
   * Throws `DataError` where another server has taken over; where that cannot be told now, it is found out later.
   * `each`: milliseconds between two looks at the place.
   */
  static async begin(store: Store, role: Role, each = Look.each): Promise<Source> {
    const source = new Source(store, role, each)
    try {
      markOlder(role.place)
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
    const first = this.#isThere() ? this.#copy() : Promise.resolve()
    const begun = first.catch((error) => this.#warn('the replica is not kept up', error))
    this.#work = begun
    this.#again(Beat.look, () => this.#beat())
    // Not before: a look begins to copy where nothing does.
    void begun.then(() => this.#isEnding || this.#again(this.#each, () => this.#look()))
  }

  async #copy(): Promise<void> {
    // Litestream goes on where it was, and would wait for ever for the rest to be there.
    const isThere = await this.#litestream.holds('pulse', this.epoch).catch(() => true)
    if (!isThere) {
      this.#litestream.forget()
      this.#hasArrived = false
    }
    this.#since = Date.now()
    this.#keeping = this.#litestream.keep(this.epoch, (reason) => this.#warn('litestream ended', reason))
  }

  /** Whether the place may be written to. */
  #isThere(): boolean {
    const isThere = isMarked(this.#role.place)
    if (!isThere && !this.#isAway)
      this.#warn(
        'the replica is not kept',
        `${this.#role.place} holds none: is it mounted? cabinet replicate --to begins it there`,
      )
    this.#isAway = !isThere
    return isThere
  }
  #isAway = false

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

  /** What is to be told of the replica; undefined where it is kept. */
  get trouble(): string | undefined {
    if (this.#isAway) return 'The replica is not kept: its place holds none.'
    return this.#isLate ? 'The replica falls behind.' : undefined
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
    if (!this.#isThere()) {
      this.arrived = undefined
      await this.#keeping?.end()
      this.#keeping = undefined
      return
    }
    try {
      await this.#demandNewest(1)
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      this.overtaken = error.message
      this.#warn('nothing is written any more', error)
      await this.#keeping?.end()
      return
    }
    if (!this.#keeping) await this.#copy()
    const fault = await this.#faultThere()
    this.#lost = fault === undefined ? 0 : this.#lost + 1
    const isLate = Date.now() - (this.arrived?.time ?? this.#since) > Look.late
    if (isLate && !this.#isLate && this.#last) this.#warn('the replica falls behind', fault ?? this.#arrivedAt)
    this.#isLate = isLate
    if (this.#lost >= Look.lost) await this.#beginAnew(fault!)
  }

  get #arrivedAt(): string {
    return this.arrived ? new Date(this.arrived.time).toISOString() : 'it is empty'
  }

  /** Why no database can be made of what lies at the place, where it was there before; undefined where one can. */
  async #faultThere(): Promise<string | undefined> {
    const file = join(filesOf(this.#config.data).replica, 'arrived.db')
    try {
      this.arrived = (await this.#litestream.restore('pulse', this.epoch, file)) ? readHeartbeat(file) : undefined
      if (!this.arrived) return this.#hasArrived ? 'it is empty' : undefined
      this.#hasArrived = true
      if (this.#lost > 0 || this.#looks++ % Look.whole === 0) await this.#litestream.holds('main', this.epoch)
      return undefined
    } catch (error) {
      if (error instanceof Broken) return error.message
      throw error
    } finally {
      rmSync(file, { force: true })
    }
  }

  /** Begins another epoch: what lies at the place can neither be restored nor be gone on with. */
  async #beginAnew(fault: string): Promise<void> {
    await this.#keeping?.end()
    this.#keeping = undefined // where the rest fails, the next look goes on with what there is
    const epoch = this.epoch + 1
    await this.#store.commit.run(() => setEpoch(this.#store.db.raw, epoch))
    this.epoch = epoch
    this.#last = undefined
    this.arrived = undefined
    this.#lost = 0
    this.#warn('the replica is begun anew', `epoch ${this.epoch}; what was there cannot be restored: ${fault}`)
    await this.#copy()
  }

  /**
   * Rejects where the place knows of a later epoch than this one: these data were left behind. So many epochs in a row
   * may be missing.
   */
  async #demandNewest(mostMissing?: number): Promise<void> {
    const { data } = this.#config
    const file = join(filesOf(data).replica, 'seen.db')
    try {
      for await (const { epoch, fault } of epochsFrom(this.#litestream, this.epoch + 1, file, mostMissing)) {
        const later = fault === undefined ? readHeartbeat(file) : undefined
        const since = later ? ` since ${new Date(later.time).toISOString()} or earlier` : ''
        throw new DataError(
          `another server has taken over from ${data}${since} (epoch ${epoch} at ${this.#role.place}, this is ` +
            `${this.epoch}): cabinet serve --follow with --set-aside makes this folder follow it`,
        )
      }
    } finally {
      rmSync(file, { force: true })
    }
  }

  #warn(message: string, reason: unknown): void {
    logWarning(this.#config, message, { reason: reason instanceof Error ? reason.message : reason })
  }
}
