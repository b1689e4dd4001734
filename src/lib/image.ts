import { randomBytes } from 'node:crypto'
import { imageSize } from 'image-size'

/** Width, height and kind of an image; undefined for bytes that are none. */
export function measure(bytes: Uint8Array): { width: number; height: number; type: string } | undefined {
  try {
    const { width, height, type } = imageSize(bytes)
    return width && height && type ? { width, height, type } : undefined
  } catch {
    return undefined // not an image of a known kind
  }
}

/** Names that Windows keeps for devices, whatever comes after a dot. */
const Devices = /^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i

/** A file name of letters, digits, dots, dashes and underscores, never hidden nor a path, that every system takes. */
export const safeName = (name: string): string =>
  name
    .replaceAll(' ', '_')
    .replace(/[^\w.-]/g, '')
    .replace(/^\.+|\.+$/g, '')
    .slice(-80)
    .replace(Devices, '_') || 'file'
/** The name with seven random characters before its extension. */
export const withSuffix = (name: string): string =>
  name.replace(/(\.\w+)?$/, (extension) => `_${randomBytes(4).toString('hex').slice(0, 7)}${extension}`)
