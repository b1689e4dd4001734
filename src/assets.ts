import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as sea from 'node:sea'

/** True inside the single executable. */
export const isPackaged: boolean = sea.isSea()

/** Top of the source tree, in development. */
const root = (): string => dirname(import.meta.dirname)
const folders: Record<string, () => string> = {
  'drizzle/': () => join(root(), 'drizzle'),
  'static/': () => join(root(), 'src/web/assets'),
  'swagger/': () => dirname(createRequire(join(root(), 'package.json')).resolve('swagger-ui-dist/package.json')),
}

/** Bytes of an embedded file by its key (`drizzle/0000_init.sql`); undefined when there is none. */
export function asset(key: string): Buffer | undefined {
  if (key.includes('..')) return undefined
  try {
    if (isPackaged) return Buffer.from(sea.getRawAsset(key))
    const prefix = Object.keys(folders).find((p) => key.startsWith(p))
    return prefix ? readFileSync(join(folders[prefix]!(), key.slice(prefix.length))) : undefined
  } catch {
    return undefined // there is no such file
  }
}

/** Keys of the embedded files below a prefix. */
export function listAssets(prefix: string): string[] {
  if (isPackaged) return Object.keys(JSON.parse(sea.getAsset('manifest.json', 'utf8')) as object).filter((key) => key.startsWith(prefix)).sort()
  return readdirSync(folders[prefix]!()).sort().map((name) => prefix + name)
}
