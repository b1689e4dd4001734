import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { demandForeign, openBeside, openToAdd } from '../store/data-folder.ts'
import { Export } from '../exchange/export.ts'
import { type Format, parse } from '../lib/tables.ts'
import { importTable } from '../exchange/import.ts'
import { modelOf } from '../exchange/model.ts'
import { System } from '../engine/actor.ts'
import type { Store } from '../store/open.ts'
import { Writing } from '../store/write.ts'
import { now } from '../lib/datetime.ts'
import { streamSafely } from '../lib/safe-file.ts'
import { textOfUtf8 } from '../lib/utf8.ts'
import type { Input } from './command.ts'
import { openPast } from './past.ts'
import { Progress } from './progress.ts'

/** Wrong values that are printed; the rest is counted. */
const Shown = 50

/** `cabinet import csv MODEL FILE`, and JSON and YAML: every line, or none when one is wrong. */
export async function importFrom(format: Format, input: Input): Promise<number> {
  const [name, file] = input.operands as [string, string]
  const m = modelOf(name)
  if (m.methods && !m.methods.includes('POST')) throw new Error(`${m.plural} cannot be written`)
  if (file !== '-' && !existsSync(file)) throw new Error(`${file}: no such file`)
  const table = parse(textIn(file), format)
  const store = openToAdd(await input.config())
  const progress = new Progress('import')
  try {
    const by = { userId: null, username: '', requestId: randomUUID(), message: '', now: now() }
    const isPreview = input.flag('dry-run')
    const { created, changed, unchanged, wrong } = importTable(new Writing(store, System, by), m, table, {
      isNew: input.flag('new'),
      isPreview,
      progress: (done, total) => progress.at(done, total),
    })
    progress.end()
    for (const { line, item, column, text: why } of wrong.slice(0, Shown)) {
      const place = `line ${line}${item ? `, item ${item}` : ''}${column === undefined ? '' : `, column ${column}`}`
      process.stderr.write(`${place}: ${why}\n`)
    }
    if (wrong.length > Shown) process.stderr.write(`… and ${wrong.length - Shown} more\n`)
    if (wrong.length) throw new Error('nothing was imported')
    process.stdout.write(`${created} created, ${changed} changed, ${unchanged} unchanged\n`)
    if (isPreview) process.stderr.write('nothing was imported: this was a dry run\n')
    return 0
  } finally {
    progress.end()
    store.close()
  }
}

/** What a file, or standard input, holds. Throws where that is no text. */
function textIn(file: string): string {
  const bytes = readFileSync(file === '-' ? 0 : file)
  try {
    return textOfUtf8(bytes)
  } catch (error) {
    throw new Error(`${file === '-' ? 'standard input' : file}: ${(error as Error).message}`)
  }
}

/** `cabinet export csv MODEL [FILE]`, and JSON and YAML. */
export async function exportTo(format: Format, input: Input): Promise<number> {
  const [name, file] = input.operands as [string, string | undefined]
  const m = modelOf(name)
  const config = await input.config()
  if (file !== undefined && file !== '-') demandForeign(config.data, file)
  const at = input.text('at')
  const folder = at === undefined ? undefined : mkdtempSync(join(config.data, '.past-'))
  const close = (store?: Store): void => {
    store?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
  let store: Store
  try {
    store = folder === undefined ? openBeside(config) : await openPast(config, at!, folder)
  } catch (error) {
    close()
    throw error
  }
  try {
    const exported = new Export(store, m, { actor: System, format, ids: input.flag('ids') })
    if (file === undefined || file === '-') await pipeline(Readable.from(exported), process.stdout, { end: false })
    else await streamSafely(file, exported)
    const { nameless } = exported
    if (nameless === 0) return 0
    process.stderr.write(
      `referred to without a name of their own: ${nameless} objects, written as ?ID, which no import takes; ` +
        '--ids writes ids instead\n',
    )
    return 1
  } finally {
    close(store)
  }
}
