import { createHash } from 'node:crypto'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { readRegularFile } from './regular-file.ts'

/** A file of a folder: its path below it with slashes, its content and the SHA-256 of that in hex. */
export interface FoundFile {
  path: string
  size: number
  hash: string
  data: Buffer
}

/** More than this is not an inventory's data; the message names the limit. */
export class TooMuch extends Error {}

export const foundFile = <Data extends Uint8Array>(
  path: string,
  data: Data,
): Omit<FoundFile, 'data'> & { data: Data } => ({
  path,
  size: data.length,
  hash: createHash('sha256').update(data).digest('hex'),
  data,
})

export interface Limits {
  files: number
  bytes: number
  eachBytes: number
}

/**
 * Every regular file below a folder but hidden ones, large ones and those that `skips` names. Links are followed to
 * files inside the folder only.
 */
export async function filesBelow(root: string, skips: (path: string) => boolean, limits: Limits): Promise<FoundFile[]> {
  const top = await realpath(root)
  const found: FoundFile[] = []
  let [bytes, seen] = [0, 0]
  const walk = async (folder: string, prefix: string): Promise<void> => {
    for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = prefix + entry.name
      if (++seen > 10 * limits.files) throw new TooMuch(`there are more than ${10 * limits.files} files and folders`)
      if (entry.name.startsWith('.') || skips(path)) continue
      const full = join(folder, entry.name)
      if (entry.isDirectory()) await walk(full, `${path}/`)
      else if (entry.isFile() || (entry.isSymbolicLink() && (await isInside(full, top)))) await add(full, path)
    }
  }
  const add = async (full: string, path: string): Promise<void> => {
    const { size } = await stat(full)
    if (size > limits.eachBytes) return
    bytes += size
    if (found.length >= limits.files) throw new TooMuch(`there are more than ${limits.files} files`)
    if (bytes > limits.bytes) throw new TooMuch(`the files have more than ${limits.bytes} bytes`)
    found.push(foundFile(path, await readRegularFile(full, limits.eachBytes)))
  }
  await walk(top, '')
  return found
}

async function isInside(link: string, top: string): Promise<boolean> {
  try {
    const target = await realpath(link)
    return target.startsWith(top + sep) && (await stat(target)).isFile()
  } catch {
    return false // leads nowhere
  }
}
