import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { constants, gunzipSync, gzipSync, type ZlibOptions } from 'node:zlib'
import * as v from 'valibot'
import type { Connection } from '../store/database.ts'
import { Version } from '../lib/version.ts'
import type { TheirRecord } from './authors.ts'

/** What goes between a kit and its source cannot be taken; the message is one line for people. */
export class BundleError extends Error {}

/** The first line of a bundle. */
export interface Header {
  cabinet: 'kit-bundle'
  form: 1
  version: string
  /** Migrations of the database that it comes from. */
  migrations: readonly string[]
  from: 'kit' | 'source'
  /** Number and name of the kit, and which key it has, without the key. */
  kit: number
  name: string
  seal: string
  made: string
  /**
   * Of a kit: the number of the push and its id, and the step of the source that the kit knows of. Of the source: the
   * last step, and the last push that was taken.
   */
  push: number
  id: string
  step: number
  time: string
}

type Stored = string | number | null | { hex: string }
/**
 * A row as it is on the side that sends it; null where it is not there. `b`: as it was where both parted, by the push
 * from which on that is so. `e`: as it was in between, the latest first, for others may have been made beside that.
 * `n`: names of accounts of the kit alone that it refers to, by `<table>:<id>`.
 */
export interface RowLine {
  t: string
  i: number
  r: Record<string, Stored> | null
  b?: Record<string, Record<string, Stored> | null>
  e?: Record<string, Stored>[]
  n?: Record<string, string>
}
/** Earlier states of a row that go along at most. */
export const MostEarlier = 10
interface FileLine {
  f: string
  d: string
}

export interface Bundle {
  header: Header
  rows: RowLine[]
  records: TheirRecord[]
  files: ReadonlyMap<string, Buffer>
}

const sealOf = (key: string): string => createHash('sha256').update(`seal ${key}`).digest('hex').slice(0, 16)
const migrationsOf = (db: Connection): string[] =>
  db.all<{ tag: string }>('select tag from migration order by tag').map(({ tag }) => tag)

/** What every bundle begins with. */
export const headerOf = (
  db: Connection,
  key: string,
  more: Omit<Header, 'cabinet' | 'form' | 'version' | 'migrations' | 'seal' | 'made'>,
): Header => ({
  cabinet: 'kit-bundle',
  form: 1,
  version: Version,
  migrations: migrationsOf(db),
  seal: sealOf(key),
  made: new Date().toISOString(),
  ...more,
})

/** The header of gzip, of which this flag says that more follows: a field with a name and a length (RFC 1952). */
const [HeadLength, FlagsAt, Extra] = [10, 3, 4]
/** What follows: the length of all fields, and the name and the length of ours, which holds a signature. */
const Field = Buffer.from([36, 0, 0x43, 0x62, 32, 0])
const SignatureBytes = 32
const signatureOf = (key: string, packed: Buffer): Buffer => createHmac('sha256', key).update(packed).digest()

/** Packed bytes with a signature of them in their header, which whoever unpacks them passes over. */
function withSignature(packed: Buffer, key: string): Buffer {
  const [head, rest] = [Buffer.from(packed.subarray(0, HeadLength)), packed.subarray(HeadLength)]
  head[FlagsAt] = Extra
  return Buffer.concat([head, Field, signatureOf(key, rest), rest])
}

/** Whether packed bytes are signed with a key; undefined where nobody signed them. */
function isSigned(bytes: Buffer, key: string): boolean | undefined {
  if (bytes[FlagsAt] !== Extra) return undefined
  const at = HeadLength + Field.length
  const rest = bytes.subarray(at + SignatureBytes)
  if (!bytes.subarray(HeadLength, at).equals(Field) || rest.length === 0) return false
  return timingSafeEqual(bytes.subarray(at, at + SignatureBytes), signatureOf(key, rest))
}

/**
 * A bundle as bytes: lines of JSON, the last of which signs the others, compressed; and a signature of that, so that
 * nobody unpacks much of what is not signed.
 */
export function packBundle(
  key: string,
  header: Header,
  rows: Iterable<RowLine>,
  records: Iterable<TheirRecord>,
  files: ReadonlyMap<string, Buffer>,
): Buffer {
  const parts: Buffer[] = []
  const hmac = createHmac('sha256', key)
  const add = (line: object) => {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    hmac.update(bytes)
    parts.push(bytes)
  }
  add(header)
  for (const row of rows) add(row)
  for (const record of records) add({ c: record })
  for (const [path, bytes] of files) add({ f: path, d: bytes.toString('base64') })
  parts.push(Buffer.from(JSON.stringify({ end: hmac.digest('hex') })))
  return withSignature(gzipSync(Buffer.concat(parts), { level: 1 }), key)
}

/** Bytes that a bundle may unpack to, and one whose packed bytes nobody signed: earlier versions sent such. */
const MaxBytes = 1_073_741_824
const MaxUnsigned = 67_108_864
/** Packed bytes in which the first line ends. */
const HeadBytes = 16_384

const Name = v.pipe(v.string(), v.maxLength(200))
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** The form of the first line: what is signed may still be wrong. */
const HeaderForm = v.object({
  version: Name,
  migrations: v.array(Name),
  from: v.picklist(['kit', 'source']),
  kit: Count,
  name: Name,
  seal: Name,
  made: Name,
  push: Count,
  id: Name,
  step: Count,
  time: Name,
})

/**
 * Reads a bundle; `keyOf` answers the key of its kit or throws `BundleError`. Throws `BundleError` for what is damaged
 * or not signed with that key.
 */
export function readBundle(bytes: Buffer, keyOf: (header: Header) => string): Bundle {
  const damaged = new BundleError('The bundle is damaged, or it is none of Cabinet.')
  const unpacked = (some: Buffer, options: ZlibOptions): Buffer => {
    try {
      return gunzipSync(some, options)
    } catch {
      throw damaged
    }
  }
  // Nothing is unpacked as a whole that is of nobody who is known here.
  const head = unpacked(bytes.subarray(0, HeadBytes), { finishFlush: constants.Z_SYNC_FLUSH })
  const header = parsed(linesOf(head).next().value?.bytes ?? head) as Header | undefined
  if (header?.cabinet !== 'kit-bundle') throw damaged
  if (header.form !== 1 && v.is(Name, header.version))
    throw new BundleError(`The bundle was made by Cabinet ${header.version}: upgrade this one (${Version}).`)
  if (!v.is(HeaderForm, header)) throw damaged
  const key = keyOf(header)
  if (header.seal !== sealOf(key)) throw new BundleError('The bundle belongs to a kit of another inventory.')
  const signed = isSigned(bytes, key)
  if (signed === false) throw damaged
  const text = unpacked(bytes, { maxOutputLength: signed ? MaxBytes : MaxUnsigned })
  const lines = linesOf(text)
  lines.next() // the header
  const bundle: Bundle & { files: Map<string, Buffer> } = { header, rows: [], records: [], files: new Map() }
  for (const { bytes: line, end } of lines) {
    const value = parsed(line) as (RowLine & FileLine & { c?: TheirRecord; end?: string }) | undefined
    if (!value) throw damaged
    if (value.end !== undefined) {
      const wanted = createHmac('sha256', key)
        .update(text.subarray(0, end - line.length))
        .digest()
      const given = Buffer.from(String(value.end), 'hex')
      if (end !== text.length || given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw damaged
      return bundle
    }
    if (value.c) bundle.records.push(value.c)
    else if (value.f !== undefined) {
      if (typeof value.f !== 'string' || typeof value.d !== 'string') throw damaged
      bundle.files.set(value.f, Buffer.from(value.d, 'base64'))
    } else bundle.rows.push(value)
  }
  throw damaged
}

function* linesOf(text: Buffer): Generator<{ bytes: Buffer; end: number }> {
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf(10, at)
    const end = next < 0 ? text.length : next
    yield { bytes: text.subarray(at, end), end }
    at = end + 1
  }
}

function parsed(line: Buffer): object | undefined {
  try {
    const value = JSON.parse(line.toString('utf8')) as unknown
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Milliseconds by which two clocks may differ. */
const MaxSkew = 300_000
const minutes = (ms: number): string =>
  ms < 7_200_000
    ? `${Math.round(ms / 60_000)} minutes`
    : ms < 172_800_000
      ? `${Math.round(ms / 3_600_000)} hours`
      : `${Math.round(ms / 86_400_000)} days`

/**
 * Throws `BundleError` where versions differ, or a clock is wrong. `isNow`: it was made for this very request. `since`:
 * when the kit was made.
 */
export function demandFit(
  db: Connection,
  { version, migrations, made, from }: Header,
  isNow: boolean,
  since = '',
): void {
  const own = migrationsOf(db)
  const there = from === 'kit' ? 'the kit' : 'the source'
  const isOlder = older(version, Version)
  if (version !== Version || migrations.join() !== own.join()) {
    const isTheirs = isOlder ?? migrations.length < own.length
    throw new BundleError(
      isTheirs
        ? `${capital(there)} runs Cabinet ${version}, which is older than this one (${Version}): upgrade ${there}.`
        : `${capital(there)} runs Cabinet ${version}, which is newer than this one (${Version}): upgrade this one.`,
    )
  }
  const ahead = Date.parse(made) - Date.now()
  if (Number.isNaN(ahead)) throw new BundleError('The bundle is damaged, or it is none of Cabinet.')
  if (ahead > MaxSkew)
    throw new BundleError(`The clock of ${there} is ${minutes(ahead)} ahead of this one: set the one that is wrong.`)
  if (isNow && ahead < -MaxSkew)
    throw new BundleError(`The clock of ${there} is ${minutes(-ahead)} behind this one: set the one that is wrong.`)
  if (since && Date.parse(made) < Date.parse(since) - MaxSkew)
    throw new BundleError('The bundle is older than its kit: the clock of the kit was wrong when it was made.')
}

/** Whether a version comes before another; undefined where they are the same. */
function older(a: string, b: string): boolean | undefined {
  if (a === b) return undefined
  const numbers = (text: string) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0)
  const [x, y] = [numbers(a), numbers(b)]
  for (let i = 0; i < Math.max(x.length, y.length); i++)
    if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) < (y[i] ?? 0)
  return a < b
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
