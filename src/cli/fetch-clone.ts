import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { unpack } from '../lib/archive.ts'
import type { KitSource } from './kit-source.ts'
import { Progress } from './progress.ts'
import { prove } from './restore.ts'

const isOfClone = (name: string): boolean =>
  ['kit.json', 'cabinet.db', 'peppers.json'].includes(name) || name.startsWith('uploads/')

/** Has the source make a copy for a kit, and unpacks it into a folder; answers the key of the kit. */
export async function fetchClone(source: KitSource, kit: number, folder: string): Promise<string> {
  const progress = new Progress('clone')
  try {
    const { url, bytes, key } = await source.json('GET', `/api/core/kits/${kit}/clone/`)
    const path = `/api/${String(url).split('/api/').at(-1)}` // as we reach it, whatever the server calls itself
    const file = join(folder, 'archive')
    await source.download(path, file, Number(bytes), progress)
    await unpack(file, folder, isOfClone, () => {})
    rmSync(file)
    prove(join(folder, 'cabinet.db'), source.url)
    return String(key)
  } finally {
    progress.end()
  }
}
