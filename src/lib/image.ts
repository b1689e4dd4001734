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

/** Characters and bytes that a name has at most; systems take 255 bytes, and suffixes come to it. */
const [MaxName, MaxBytes] = [80, 160]

/** A file name of letters of any script, digits, dots, dashes and underscores, never hidden nor a path. */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(' ', '_')
    .replace(/[^\p{L}\p{M}\p{N}_.-]/gu, '')
    .replace(/^\p{M}+/u, '')
    .replace(/^\.(?=\w{1,10}$)/, 'file.')
    .replace(/^[\p{M}.]+|\.+$/gu, '')
  const extension = /\.\w{1,10}$/.exec(plain)?.[0] ?? ''
  return shortened(plain.slice(0, plain.length - extension.length), extension.length) + extension || 'file'
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The beginning of a stem, whole letters with their marks, that leaves room for so many more characters. */
function shortened(stem: string, more: number): string {
  if (Buffer.byteLength(stem) + more <= MaxName) return stem
  let kept = ''
  for (const { segment } of letters.segment(stem.slice(0, 2 * MaxName))) {
    const next = kept + segment
    if (next.length + more > MaxName || Buffer.byteLength(next) + more > MaxBytes) break
    kept = next
  }
  return kept
}

/** A plain name that every system takes. */
export const safeName = (name: string): string => plainName(name).replace(Devices, '_')

/** Whether a name is one that files are stored by. */
export const isSafeName = (name: string): boolean =>
  /^[\p{L}\p{N}_-][\p{L}\p{M}\p{N}_.-]{0,119}$/u.test(name) && Buffer.byteLength(name) < 250

/** The name with seven random characters before its extension. */
export const withSuffix = (name: string): string =>
  name.replace(/(\.\w+)?$/, (extension) => `_${randomBytes(4).toString('hex').slice(0, 7)}${extension}`)
