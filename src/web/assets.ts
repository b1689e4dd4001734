import { createHash } from 'node:crypto'
import { getMimeType } from 'hono/utils/mime'

interface File {
  readonly body: string | Buffer
  readonly type: string
}

/** Files that pages load, by name. A name has a hash of the content, so browsers keep the file for good. */
const files = new Map<string, File>()

/** Serves a file to pages; answers its path below the base path, such as `/assets/pages-1f2e3d4c5b6a.css`. */
export function pageFile(name: string, body: string | Buffer): string {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const full = name.replace(/(?=\.\w+$)/, `-${hash}`)
  files.set(full, { body, type: getMimeType(name) ?? 'application/octet-stream' })
  return `/assets/${full}`
}

/** A file by its name with the hash. */
export const fileNamed = (name: string): File | undefined => files.get(name)
