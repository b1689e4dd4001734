/** A file out of a form: its name as the client gave it, and its bytes. */
export class Upload {
  readonly name: string
  readonly bytes: Buffer
  constructor(name: string, bytes: Buffer) {
    this.name = name
    this.bytes = bytes
  }
}
