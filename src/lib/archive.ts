import {
  createReadStream,
  createWriteStream,
  existsSync,
  fdatasync,
  mkdirSync,
  readdirSync,
  type WriteStream,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type Duplex, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, type Pack, pack } from 'tar-stream'

/** A compressed tar file that is being written; `finish` answers when it is on disk. */
export class Archive {
  readonly #pack: Pack = pack()
  readonly #written: Promise<void>

  /** `through`: what the compressed bytes pass on their way into the file. */
  constructor(file: string, through: readonly Duplex[] = []) {
    const out = createWriteStream(file, { mode: 0o600, flush: true })
    this.#written = pipeline([
      this.#pack as unknown as NodeJS.ReadableStream,
      createGzip({ level: 3 }),
      ...through,
      synced(out),
      out,
    ])
    this.#written.catch(() => undefined) // reported by whoever waits: add or finish
  }

  /** Adds a file as it is now; `seen` is told of each piece. One that is gone is left out. */
  async add(path: string, name: string, seen: (bytes: number) => void): Promise<void> {
    const handle = await opened(path)
    if (!handle) return
    const { size } = await handle.stat()
    const entry = this.#pack.entry({ name, size, mode: 0o600 })
    await Promise.race([
      pipeline(handle.createReadStream({ end: Math.max(size - 1, 0) }), counted(seen), entry),
      this.#written,
    ])
  }

  async finish(): Promise<void> {
    this.#pack.finalize()
    await this.#written
  }
}

/** Bytes that are written before they are waited for. */
const Unsynced = 4 * 2 ** 20

/**
 * Passes on what is written to a file, and now and then waits until the disk has it: all of a large one at its end
 * would hold up others who wait for the same disk.
 */
function synced(out: WriteStream & { fd?: number | null }): Transform {
  let bytes = 0
  return new Transform({
    transform: (piece: Buffer, _, done) => {
      bytes += piece.length
      if (bytes < Unsynced || typeof out.fd !== 'number') return done(null, piece)
      bytes = 0
      fdatasync(out.fd, (error) => done(error, piece))
    },
  })
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Unpacks an archive into a folder, but reads only past files that are not to be written. Throws for a name that
 * `isExpected` does not know, or that leads out of the folder.
 */
export async function unpack(
  file: string,
  into: string,
  isExpected: (name: string) => boolean,
  seen: (bytes: number) => void,
  isWritten: (name: string) => boolean = () => true,
): Promise<void> {
  const archive = extract()
  const top = resolve(into)
  archive.on('entry', ({ name, type }, stream, next) => {
    const path = resolve(top, name)
    if (type !== 'file' || !isExpected(name) || !path.startsWith(top + sep))
      return next(new Error(`${file} is not a backup of Cabinet: it holds ${JSON.stringify(name)}`))
    if (!isWritten(name)) {
      stream.once('end', next).resume()
      return undefined
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    pipeline(stream, createWriteStream(path, { mode: 0o600, flush: true })).then(() => next(), next)
  })
  await pipeline(createReadStream(file), counted(seen), createGunzip(), archive)
}

/** Paths of the files below a folder, relative to it. */
export const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    : []

const counted = (seen: (bytes: number) => void): Transform =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      seen(chunk.length)
      done(null, chunk)
    },
  })
