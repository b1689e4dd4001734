import { readFileSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { type Answer, type Call, noSuchPage } from './request.ts'

const Types: Record<string, string> = { '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif', '.webp': 'image/webp', '.bmp': 'image/bmp', '.svg': 'image/svg+xml', '.pdf': 'application/pdf', '.txt': 'text/plain; charset=utf-8' }

/** A file below the uploads folder; what a browser makes of it cannot run scripts. */
export function media(call: Call): Answer {
  const root = resolve(call.store.uploads)
  const path = resolve(join(root, decodeURIComponent(call.path.slice('/media/'.length))))
  if (!path.startsWith(`${root}/`)) throw noSuchPage()
  try {
    const stat = statSync(path)
    if (!stat.isFile()) throw noSuchPage()
    return {
      status: 200, body: readFileSync(path),
      headers: {
        'content-type': Types[extname(path).toLowerCase()] ?? 'application/octet-stream', 'content-disposition': 'inline', 'content-security-policy': 'sandbox',
        'last-modified': stat.mtime.toUTCString(),
      },
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code) throw noSuchPage()
    throw error
  }
}
