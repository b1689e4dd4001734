const Width = 30
/** Milliseconds between two lines where there is no terminal. */
const Quiet = 10_000

/**
 * Shows how far something is, once it takes longer than a second; where there is no terminal, a line every ten seconds.
 */
export class Progress {
  readonly #what: string
  readonly #started = performance.now()
  #shown = ''
  #last = 0

  constructor(what: string) {
    this.#what = what
  }

  /** Says that `done` of `total` is done; a total of 0 is unknown. */
  at(done: number, total: number): void {
    const now = performance.now()
    const part = total > 0 ? Math.min(done / total, 1) : 0
    if (!process.stderr.isTTY) {
      if (now - Math.max(this.#started, this.#last) < Quiet) return
      this.#last = now
      process.stderr.write(`${this.#what}: ${total > 0 ? `${Math.floor(part * 100)} %` : done}\n`)
      return
    }
    if (now - this.#started < 1000 || now - this.#last < 100) return
    this.#last = now
    const bar =
      total > 0 ? `[${'#'.repeat(Math.round(part * Width)).padEnd(Width)}] ${Math.floor(part * 100)} %` : `${done}`
    this.#write(`${this.#what} ${bar}`)
  }

  /** Takes the line off the terminal again. */
  end(): void {
    if (this.#shown) process.stderr.write(`\r${' '.repeat(this.#shown.length)}\r`)
    this.#shown = ''
  }

  #write(line: string): void {
    process.stderr.write(`\r${line.padEnd(this.#shown.length)}`)
    this.#shown = line
  }
}
