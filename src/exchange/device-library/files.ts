import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Definition, definitionOf } from '../../lib/definitions.ts'
import { textOfUtf8 } from '../../lib/utf8.ts'

export type { Definition }

/** Folders of a library, each with a folder for every manufacturer. */
export const Kinds = ['device-types', 'module-types', 'rack-types'] as const
export type Kind = (typeof Kinds)[number]

/** One file of the library; `path` is relative to it. */
export interface LibraryFile {
  kind: Kind
  path: string
  maker: string
}

/** A file that cannot be taken; the message says why. */
export class BadDefinition extends Error {}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])

/** Every definition of a library, by manufacturer. */
export function filesOf(library: string): LibraryFile[] {
  return Kinds.flatMap((kind) =>
    namesIn(join(library, kind)).flatMap((maker) =>
      foldersOf(library, kind, maker)
        .filter((name) => /\.ya?ml$/i.test(name))
        .map((name) => ({ kind, maker, path: join(kind, maker, name) })),
    ),
  )
}
const foldersOf = (library: string, kind: string, maker: string): string[] => {
  try {
    return namesIn(join(library, kind, maker))
  } catch {
    return [] // a file beside the folders
  }
}

/** Reads a file of the library. Throws `BadDefinition`. */
export function readDefinition(library: string, { path }: LibraryFile): Definition {
  try {
    return definitionOf(textOfUtf8(readFileSync(join(library, path))))
  } catch (error) {
    throw new BadDefinition((error as Error).message.split('\n')[0]!)
  }
}

interface Picture {
  name: string
  bytes: Buffer
}

/** The picture of a face of a device type, if the library has one. */
export function pictureOf(library: string, maker: string, slug: string, face: 'front' | 'rear'): Picture | undefined {
  const folder = join(library, 'elevation-images', maker)
  const known =
    pictures.get(folder) ?? new Map(namesIn(folder).map((name) => [name.replace(/\.\w+$/, '').toLowerCase(), name]))
  pictures.set(folder, known)
  const name = known.get(`${slug}.${face}`.toLowerCase())
  return name === undefined ? undefined : { name, bytes: readFileSync(join(folder, name)) }
}
const pictures = new Map<string, ReadonlyMap<string, string>>()
