import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'

/** A path that leads to no regular file, or to one that is too large. */
class UnfitPath extends Error {
  readonly code: 'ENOTFILE' | 'ETOOLARGE'
  constructor(code: UnfitPath['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The bytes of a regular file; what a file of the system makes up while it is read counts as nothing. Pipes and
 * devices, which may never end, and files of more than `most` bytes reject with `UnfitPath`.
 */
export async function readRegularFile(path: string, most: number): Promise<Buffer> {
  const notFile = () => new UnfitPath('ENOTFILE', `${path} is not a regular file`)
  if (!(await stat(path)).isFile()) throw notFile() // to open a device can act on it
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    const { size } = found
    if (!found.isFile()) throw notFile()
    if (size > most) throw new UnfitPath('ETOOLARGE', `${path} has more than ${most} bytes`)
    const bytes = Buffer.alloc(size)
    let length = 0
    while (length < size) {
      const { bytesRead } = await file.read(bytes, length, size - length, length)
      if (bytesRead === 0) break // it has become shorter
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}
