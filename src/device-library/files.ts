import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Folders of a library, each with a folder for every manufacturer. */
export const Kinds = ['device-types', 'module-types', 'rack-types'] as const
export type Kind = (typeof Kinds)[number]

/** One file of the library; `path` is relative to it. */
export interface LibraryFile {
  kind: Kind
  path: string
  maker: string
}
export type Definition = Record<string, unknown>

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

/** Reads a definition: scalars as the texts they are written as (a part number may be 0012 or 1E4), which fields read by themselves. Throws `BadDefinition`. */
export function readDefinition(library: string, { path }: LibraryFile): Definition {
  try {
    const text = readFileSync(join(library, path), 'utf8')
    const read: unknown = parse(text, { schema: 'failsafe', logLevel: 'error' })
    if (typeof read !== 'object' || read === null || Array.isArray(read))
      throw new BadDefinition('is not a YAML mapping')
    const given = withoutNulls(read) as Definition
    return 'attributes' in given
      ? { ...given, attributes: (parse(text, { logLevel: 'error' }) as Definition).attributes }
      : given
  } catch (error) {
    throw new BadDefinition((error as Error).message.split('\n')[0]!)
  }
}

/** Leaves out members of which nothing is said. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && !['', '~', 'null', 'Null', 'NULL'].includes(each as string))
      .map(([key, each]) => [key, withoutNulls(each)]),
  )
}

export interface Picture {
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
