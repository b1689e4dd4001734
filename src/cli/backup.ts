import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { openDatabase } from '../runtime/addons.ts'
import { configFrom, parse } from './options.ts'

const Kept = ['cabinet.db', 'peppers.json']

/** `cabinet backup FILE`: a consistent copy of the database, the peppers and the uploads as one compressed archive. */
export async function backup(args: readonly string[]): Promise<number> {
  const { values, positionals: [file] } = parse(args, [])
  if (!file) throw new Error('usage: cabinet backup FILE')
  const { data } = configFrom(values)
  if (!existsSync(join(data, 'cabinet.db'))) throw new Error(`${data} holds no database`)
  const scratch = mkdtempSync(join(dirname(resolve(file)), '.cabinet-backup-'))
  try {
    const source = openDatabase(join(data, 'cabinet.db'), { readonly: true })
    await source.backup(join(scratch, 'cabinet.db'))
    source.close()
    const archive = pack()
    const written = pipeline(archive, createGzip({ level: 3 }), createWriteStream(`${file}.part`, { mode: 0o600 }))
    await add(archive, join(scratch, 'cabinet.db'), 'cabinet.db')
    if (existsSync(join(data, 'peppers.json'))) await add(archive, join(data, 'peppers.json'), 'peppers.json')
    for (const path of filesBelow(join(data, 'uploads'))) await add(archive, path, join('uploads', relative(join(data, 'uploads'), path)))
    archive.finalize()
    await written
    renameSync(`${file}.part`, file)
    return 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function add(archive: ReturnType<typeof pack>, path: string, name: string): Promise<void> {
  return pipeline(createReadStream(path), archive.entry({ name, size: statSync(path).size, mode: 0o600 }))
}

const filesBelow = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)).filter((path) => statSync(path).isFile()) : []

/** `cabinet restore FILE`: into a folder without a database, or in the place of one with `--force`. */
export async function restore(args: readonly string[]): Promise<number> {
  const { values, positionals: [file] } = parse(args, [], ['force'])
  if (!file) throw new Error('usage: cabinet restore FILE')
  const { data } = configFrom(values)
  if (existsSync(join(data, 'cabinet.db')) && values.force !== true) throw new Error(`${data} holds a database already; --force replaces it`)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const scratch = mkdtempSync(join(data, '.restore-'))
  try {
    await unpack(file, scratch)
    const restored = openDatabase(join(scratch, 'cabinet.db'), { readonly: true })
    const verdict = restored.pragma('integrity_check', { simple: true })
    restored.close()
    if (verdict !== 'ok') throw new Error(`the backup's database is damaged: ${verdict}`)
    for (const name of ['cabinet.db-wal', 'cabinet.db-shm']) rmSync(join(data, name), { force: true })
    rmSync(join(data, 'uploads'), { recursive: true, force: true })
    for (const name of [...Kept, 'uploads']) if (existsSync(join(scratch, name))) renameSync(join(scratch, name), join(data, name))
    return 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function unpack(file: string, into: string): Promise<void> {
  const archive = extract()
  archive.on('entry', (header, stream, next) => {
    const path = resolve(into, header.name)
    const isExpected = Kept.includes(header.name) || header.name.startsWith('uploads/')
    if (!path.startsWith(`${into}/`) || !isExpected) return next(new Error(`unexpected file in the backup: ${header.name}`))
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    pipeline(stream, createWriteStream(path, { mode: 0o600 })).then(() => next(), next)
  })
  await pipeline(createReadStream(file), createGunzip(), archive)
}
