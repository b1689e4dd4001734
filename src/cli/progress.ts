const Width = 30

/** Shows how far something is, on a terminal, once it takes longer than a second. */
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
    if (!process.stderr.isTTY || now - this.#started < 1000 || now - this.#last < 100) return
    this.#last = now
    const part = total > 0 ? Math.min(done / total, 1) : 0
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
