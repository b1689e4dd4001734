import { statfs } from 'node:fs'
import { promisify } from 'node:util'

/** Milliseconds between two looks while there is room enough, and while there is little. */
const Pause = { ample: 10_000, scarce: 1000 }
/** Below so many times the reserve a warning is logged. */
const Scarce = 4

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
  /** Bytes that are free for the user of the server; undefined before the first look and where that is not told. */
  free: number | undefined
  /** Called with what an administrator should know when that becomes another. */
  say: (message: string, facts: { free: number; reserve: number }) => void = () => {}

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
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.watch(), this.isScarce ? Pause.scarce : Pause.ample).unref()
  }

  async look(): Promise<void> {
    try {
      const { bavail, bsize } = await roomOf(this.#folder)
      this.free = bavail * bsize
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
