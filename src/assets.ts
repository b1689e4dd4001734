import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'

/** True inside the single executable. */
export const isPackaged: boolean = isSea()

/** Top of the source tree; in the executable, of the files packed with it, which the `fs` functions see below a made-up path. */
const top = isPackaged ? import.meta.dirname : dirname(import.meta.dirname)

/** Where each kind of file lies in the source tree; in the executable it is the kind's own folder. */
const folders: Readonly<Record<string, string>> = { drizzle: 'drizzle', native: 'native', static: 'src/web/assets', swagger: 'node_modules/swagger-ui-dist' }

/** Bytes of a file by its key (`drizzle/0000_init.sql`); undefined when there is none. */
export function asset(key: string): Buffer | undefined {
  const path = pathOf(key)
  if (path === undefined || !/^[\w.-]+(\/[\w.-]+)*$/.test(key) || key.includes('..')) return undefined
  try {
    return readFileSync(path)
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Keys of the files below a kind (`drizzle/`), in order. */
export function listAssets(prefix: string): string[] {
  const kind = prefix.replace(/\/$/, '')
  const path = pathOf(prefix)
  if (path === undefined) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${kind}${join(entry.parentPath, entry.name).slice(join(path, '.').length)}`)
    .sort()
}

function pathOf(key: string): string | undefined {
  const [kind, ...rest] = key.split('/')
  const folder = Object.hasOwn(folders, kind!) ? folders[kind!] : undefined
  return folder === undefined ? undefined : join(top, isPackaged ? kind! : folder, ...rest)
}
