import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { csvOf } from '../csv/export.ts'
import { importCsv } from '../csv/import.ts'
import { modelOf } from '../csv/model.ts'
import { openBeside } from '../data-folder.ts'
import type { Input } from './command.ts'
import { Progress } from './progress.ts'

/** Wrong values that are printed; the rest is counted. */
const Shown = 50

/** `cabinet import csv MODEL FILE`: every line, or none when one is wrong. */
export async function importFromCsv(input: Input): Promise<number> {
  const [name, file] = input.operands as [string, string]
  const m = modelOf(name)
  if (m.methods && !m.methods.includes('POST')) throw new Error(`${m.plural} cannot be written`)
  if (file !== '-' && !existsSync(file)) throw new Error(`${file}: no such file`)
  const text = readFileSync(file === '-' ? 0 : file, 'utf8')
  const store = openBeside(await input.config())
  const progress = new Progress('import')
  try {
    const { created, changed, wrong } = importCsv(store, m, text, input.flag('new'), (done, total) =>
      progress.at(done, total),
    )
    progress.end()
    for (const { line, column, text: why } of wrong.slice(0, Shown))
      process.stderr.write(`line ${line}${column === undefined ? '' : `, column ${column}`}: ${why}\n`)
    if (wrong.length > Shown) process.stderr.write(`… and ${wrong.length - Shown} more\n`)
    if (wrong.length) throw new Error('nothing was imported')
    process.stdout.write(`${created} created, ${changed} changed\n`)
    return 0
  } finally {
    progress.end()
    store.close()
  }
}

/** `cabinet export csv MODEL [FILE]` */
export async function exportToCsv(input: Input): Promise<number> {
  const [name, file] = input.operands as [string, string | undefined]
  const m = modelOf(name)
  const store = openBeside(await input.config())
  try {
    if (file === undefined || file === '-')
      await pipeline(Readable.from(csvOf(store, m)), process.stdout, { end: false })
    else await pipeline(Readable.from(csvOf(store, m)), createWriteStream(file))
    return 0
  } finally {
    store.close()
  }
}
