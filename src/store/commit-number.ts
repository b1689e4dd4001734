import { closeSync, openSync, readSync } from 'node:fs'

/** Where the counter of transactions stands in the file of SQLite's index of its log (walformat.html, section 2.1). */
const Place = 8

/**
 * How many transactions were committed to a database in WAL mode, by whomever; it begins anew with the first who opens
 * it. Read from the file beside the database that all who have it open share.
 */
export class CommitNumber {
  /** Of that file: other threads of the process may read from it, and must not close it. */
  readonly descriptor: number
  readonly #number = new Uint32Array(1)

  constructor(descriptor: number) {
    this.descriptor = descriptor
  }

  /** Of the database in this file, which must be open. */
  static of(file: string): CommitNumber {
    return new CommitNumber(openSync(`${file}-shm`, 'r'))
  }

  get now(): number {
    readSync(this.descriptor, this.#number, 0, this.#number.byteLength, Place)
    return this.#number[0]!
  }

  /**
   * To be called after the process has closed the database, and no sooner: the system takes all locks of a process from
   * a file of which it closes a descriptor.
   */
  close(): void {
    closeSync(this.descriptor)
  }
}
