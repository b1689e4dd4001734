import { statfs } from 'node:fs'
import { promisify } from 'node:util'

/** Milliseconds between two looks while there is room enough, and while there is little. */
const Pause = { ample: 10_000, scarce: 1000 }
/** Below so many times the reserve a warning is logged. */
const Scarce = 4

/** File systems of other machines, by the numbers that Linux has for them (statfs(2)). */
const Remote: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
])

/** What a file system of another machine is called, by the `type` of its statfs; undefined for one of this machine. */
export const remoteFileSystem = (type: number): string | undefined => Remote.get(type >>> 0)

/** Whether an error says that a disk, or the share of it that one may use, is full. */
export const isNoRoom = (error: unknown): boolean =>
  ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown } | null)?.code))

const roomOf = promisify(statfs) // node reads its `fs/promises` when it is first used: not before the first answer

/** How much room is left where the data lie: looked at now and then, so that asking costs nothing. */
export class Disk {
  readonly #folder: string
  readonly #reserve: number
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #said = ''
  #type = 0
  /** Bytes that are free for the user of the server; undefined before the first look and where that is not told. */
  free: number | undefined
  /** Called with what an administrator should know when that becomes another. */
  say: (message: string, facts: { free: number; reserve: number } | { kind: string }) => void = () => {}

  /** `reserve`: bytes that are to stay free; 0 for none. */
  constructor(folder: string, reserve: number) {
    this.#folder = folder
    this.#reserve = reserve
  }

  /** Whether there is no room for writes. */
  get isFull(): boolean {
    return this.free !== undefined && this.free < this.#reserve
  }

  /** Whether there will soon be no room for writes. */
  get isScarce(): boolean {
    return this.free !== undefined && this.free < this.#reserve * Scarce
  }

  /** Looks now, and from then on until `close`. */
  async watch(): Promise<void> {
    await this.look()
    const kind = this.free === undefined ? undefined : remoteFileSystem(this.#type)
    if (kind && !this.#timer)
      this.say('the data are on another machine: locks and syncs that it does not keep can damage them', { kind })
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.watch(), this.isScarce ? Pause.scarce : Pause.ample).unref()
  }

  async look(): Promise<void> {
    try {
      const { bavail, bsize, type } = await roomOf(this.#folder)
      this.free = bavail * bsize
      this.#type = type
    } catch {
      this.free = undefined // a file system that does not say
    }
    const state = this.isFull ? 'full' : this.isScarce ? 'scarce' : ''
    if (state === this.#said) return
    this.#said = state
    const message =
      state === 'full'
        ? 'the disk is full but for its reserve: nothing is written, reads go on'
        : state === 'scarce'
          ? 'the disk is nearly full'
          : 'the disk has room again'
    this.say(message, { free: this.free ?? 0, reserve: this.#reserve })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }
}
