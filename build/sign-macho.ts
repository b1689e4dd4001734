// Signs an executable of macOS ad hoc, as Apple's processors want it: a signature that says nothing of who made it.
// Apple's own tool runs on macOS alone; what it would write here is a list of the hashes of the file's pages.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const Magic = { executable: 0xfeedfacf, signature: 0xfade0cc0, directory: 0xfade0c02 }
const Command = { segment: 0x19, signature: 0x1d }
const HeaderSize = 32
const CommandSize = 16
/**
 * Of the directory of hashes: bytes before the name, format, flags (ad hoc), kind of hash (SHA-256), pages of 2^12
 * bytes.
 */
const Directory = { size: 88, version: 0x20400, flags: 2, hash: 2, page: 12 }
const PageSize = 1 << Directory.page
const HashSize = 32
const Name = 'cabinet\0'
/** In memory the last segment ends at such a border. */
const MemoryPage = 0x4000

const aligned = (n: number, to: number): number => Math.ceil(n / to) * to

/** Signs a file in place. Throws for one that is no executable of macOS for one processor. */
export function signAdHoc(file: string): void {
  writeFileSync(file, signed(readFileSync(file)))
}

/** The bytes of an executable with an ad hoc signature in the place of the one that it has. */
export function signed(bytes: Buffer): Buffer {
  if (bytes.readUInt32LE(0) !== Magic.executable) throw new Error('this is no executable of macOS for one processor')
  const commands = commandsOf(bytes)
  const segment = (name: string): number => {
    const found = commands.find(
      ({ kind, at }) =>
        kind === Command.segment && bytes.toString('latin1', at + 8, at + 24).replace(/\0+$/, '') === name,
    )
    if (!found) throw new Error(`the executable has no segment ${name}`)
    return found.at
  }
  const before = commands.find(({ kind }) => kind === Command.signature)
  const limit = before ? bytes.readUInt32LE(before.at + 8) : aligned(bytes.length, 16)
  const at = before?.at ?? added(bytes, commands)
  const pages = Math.ceil(limit / PageSize)
  const length = 20 + Directory.size + Name.length + pages * HashSize
  const whole = Buffer.alloc(limit + aligned(length, 16))
  bytes.copy(whole, 0, 0, Math.min(limit, bytes.length))

  whole.writeUInt32LE(limit, at + 8)
  whole.writeUInt32LE(whole.length - limit, at + 12)
  const last = segment('__LINKEDIT')
  const size = whole.length - Number(bytes.readBigUInt64LE(last + 40))
  whole.writeBigUInt64LE(BigInt(aligned(size, MemoryPage)), last + 32)
  whole.writeBigUInt64LE(BigInt(size), last + 48)

  const text = segment('__TEXT')
  const code = { from: bytes.readBigUInt64LE(text + 40), size: bytes.readBigUInt64LE(text + 48) }
  signatureOf(whole, limit, pages, code).copy(whole, limit)
  return whole
}

function commandsOf(bytes: Buffer): { kind: number; at: number; size: number }[] {
  let at = HeaderSize
  return Array.from({ length: bytes.readUInt32LE(16) }, () => {
    const command = { kind: bytes.readUInt32LE(at), at, size: bytes.readUInt32LE(at + 4) }
    at += command.size
    return command
  })
}

/** Puts a command for the signature behind the others, where there is room before the code; answers where it stands. */
function added(bytes: Buffer, commands: readonly { at: number; size: number }[]): number {
  const { at, size } = commands.at(-1)!
  const end = at + size
  if (!bytes.subarray(end, end + CommandSize).equals(Buffer.alloc(CommandSize)))
    throw new Error('the executable has no room for a signature')
  bytes.writeUInt32LE(Command.signature, end)
  bytes.writeUInt32LE(CommandSize, end + 4)
  bytes.writeUInt32LE(bytes.readUInt32LE(16) + 1, 16)
  bytes.writeUInt32LE(bytes.readUInt32LE(20) + CommandSize, 20)
  return end
}

/** A signature with one part: the hashes of all pages before it. */
function signatureOf(bytes: Buffer, limit: number, pages: number, code: { from: bigint; size: bigint }): Buffer {
  const hashes = Directory.size + Name.length
  const length = hashes + pages * HashSize
  const made = Buffer.alloc(20 + length)
  for (const [i, n] of [Magic.signature, made.length, 1, 0, 20].entries()) made.writeUInt32BE(n, i * 4)
  const part = made.subarray(20)
  const head = [Magic.directory, length, Directory.version, Directory.flags, hashes, Directory.size, 0, pages, limit]
  for (const [i, n] of head.entries()) part.writeUInt32BE(n, i * 4)
  part.set([HashSize, Directory.hash, 0, Directory.page], 36)
  part.writeBigUInt64BE(code.from, 64)
  part.writeBigUInt64BE(code.size, 72)
  part.writeBigUInt64BE(1n, 80) // the program itself, no library
  part.write(Name, Directory.size, 'latin1')
  for (let i = 0; i < pages; i++) {
    const page = bytes.subarray(i * PageSize, Math.min((i + 1) * PageSize, limit))
    createHash('sha256')
      .update(page)
      .digest()
      .copy(part, hashes + i * HashSize)
  }
  return made
}
