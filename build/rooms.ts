// The rooms of src, and which way imports go between them. `npm run check` says what goes the other way.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * Rooms from the lowest up: what a file uses of others, types aside, stands in its own room or in one before it.
 * A path that ends in `/` is a folder; where a file and its folder are both named, the file's own line counts.
 */
const Rooms: Readonly<Record<string, readonly string[]>> = {
  lib: ['lib/', 'config/', 'config.ts'],
  choices: ['choices/'],
  filters: ['filters/'],
  fields: ['fields/'],
  declare: ['declare/'],
  rules: ['rules/'],
  models: ['models/'],
  engine: ['engine/', 'schema.ts'],
  store: ['store/'],
  services: ['services/'],
  history: ['history/'],
  exchange: ['exchange/'],
  http: ['http/'],
  graphql: ['graphql/'],
  web: ['web/'],
  server: ['server/'],
  cli: ['cli/', 'main.ts'],
}
const order = Object.keys(Rooms)

/** The room of a file of src, by its own name or that of the nearest folder; undefined where none holds it. */
function roomOf(file: string): string | undefined {
  let best: { room: string; length: number } | undefined
  for (const [room, paths] of Object.entries(Rooms))
    for (const path of paths)
      if ((path.endsWith('/') ? file.startsWith(path) : file === path) && path.length > (best?.length ?? 0))
        best = { room, length: path.length }
  return best?.room
}

const Imports = /^(?:import|export) (?!type )[^'"`;]*?'(\.[^']+)'|\bawait import\('(\.[^']+)'\)/gm

/**
 * One sentence for each import of a value from a room above, and for each file in no room; files by their path in src.
 */
export function misplaced(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    const room = roomOf(file)
    if (!room) {
      found.push(`src/${file} is in no room: name its folder in build/rooms.ts, where its imports allow.`)
      continue
    }
    for (const [, fixed, late] of text.matchAll(Imports)) {
      const target = normalize(join(dirname(file), fixed ?? late!))
      const above = roomOf(target)
      if (above === undefined || order.indexOf(above) <= order.indexOf(room)) continue
      found.push(
        `src/${file} is in the room "${room}" and imports src/${target}, which is above it in "${above}". ` +
          'Import its types only (import type), have what it needs handed in as an argument, ' +
          `or put the file into "${above}". The order: ${order.join(' < ')} (build/rooms.ts).`,
      )
    }
  }
  return found
}

/** The files of src by their path there. */
export function sources(): Map<string, string> {
  const src = join(import.meta.dirname, '../src')
  return new Map(
    readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file, readFileSync(join(src, file), 'utf8')]),
  )
}
