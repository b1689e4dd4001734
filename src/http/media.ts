import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import { q } from '../lib/sql.ts'
import { allModels } from '../engine/catalog.ts'
import { fileFields } from '../store/uploads.ts'
import { type Answer, type Call, noSuchPage } from './request.ts'

/**
 * What browsers are told that a file is: pictures, documents and plain text by their suffix, anything else just bytes.
 */
function typeOf(path: string): string {
  const type = getMimeType(path)
  return type && /^(?:image\/|application\/pdf|text\/plain)/.test(type) ? type : 'application/octet-stream'
}

/** The path that an address names below the uploads folder. */
function nameOf(call: Call): string {
  try {
    return decodeURIComponent(call.path.slice('/media/'.length))
  } catch {
    throw noSuchPage() // a percent sign without digits
  }
}

/** Whether the actor may view an object whose file this is; files that are kept for an undo alone belong to none. */
const isVisible = ({ store, actor }: Call, name: string): boolean =>
  allModels.some((m) =>
    fileFields(m).some((field) =>
      store.db
        .all<{ id: number }>(`select id from ${q(m.table)} where ${q(field)} = ?`, name)
        .some(({ id }) => store.reader.mayOn(actor, 'view', m, id) === true),
    ),
  )

/**
 * A file below the uploads folder, for those who may view what it belongs to; what a browser makes of it cannot run
 * scripts.
 */
export function media(call: Call): Answer {
  const root = resolve(call.store.uploads)
  const path = resolve(join(root, nameOf(call)))
  if (!path.startsWith(`${root}/`) || !isVisible(call, path.slice(root.length + 1))) throw noSuchPage()
  try {
    const stat = statSync(path)
    if (!stat.isFile()) throw noSuchPage()
    return {
      status: 200,
      body: readFileSync(path),
      headers: {
        'content-type': typeOf(path),
        'content-disposition': 'inline',
        'content-security-policy': 'sandbox',
        'last-modified': stat.mtime.toUTCString(),
      },
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code) throw noSuchPage()
    throw error
  }
}
