import { randomUUID } from 'node:crypto'
import { System } from '../../engine/actor.ts'
import type { WriteTools } from '../../declare/behaviour.ts'
import type { Where } from '../../declare/rows.ts'
import type { Row } from '../../fields/field.ts'
import type { Store } from '../../store/open.ts'
import { Writing } from '../../store/write.ts'
import { now } from '../../lib/datetime.ts'
import { Upload } from '../../lib/upload.ts'
import { componentKeys, makeComponents, naming, type Owner } from './components.ts'
import {
  BadDefinition,
  type Definition,
  filesOf,
  type Kind,
  type LibraryFile,
  pictureOf,
  readDefinition,
} from './files.ts'
import { sql } from '../../declare/statement.ts'

/** Files of one kind: taken, there before, and those that could not be taken. */
interface Tally {
  taken: number
  known: number
  bad: number
}
interface Loading {
  store: Store
  library: string /** Told of files that cannot be taken. */
  warn: (text: string) => void
  progress: (done: number, total: number) => void
}

/** Files of one transaction: short enough for a server beside to wait for. */
const Batch = 10

/** The model of each kind of definition. */
export const Models: Readonly<Record<Kind, string>> = {
  'device-types': 'dcim.devicetype',
  'module-types': 'dcim.moduletype',
  'rack-types': 'dcim.racktype',
}

/** Takes over a device type library, file by file; one that is bad leaves nothing behind and stops nothing. */
export function loadLibrary({ store, library, warn, progress }: Loading): Record<Kind, Tally> {
  const files = filesOf(library)
  const tallies: Record<Kind, Tally> = {
    'device-types': { taken: 0, known: 0, bad: 0 },
    'module-types': { taken: 0, known: 0, bad: 0 },
    'rack-types': { taken: 0, known: 0, bad: 0 },
  }
  for (let at = 0; at < files.length; at += Batch) {
    store.commit.now(() => {
      for (const file of files.slice(at, at + Batch)) tallies[file.kind][attempt(store, library, file, warn)]++
    }, 'tentative')
    progress(Math.min(at + Batch, files.length), files.length)
  }
  return tallies
}

function attempt(store: Store, library: string, file: LibraryFile, warn: (text: string) => void): keyof Tally {
  try {
    const definition = readDefinition(library, file)
    const { tools } = new Writing(store, System, {
      userId: null,
      username: '',
      requestId: randomUUID(),
      message: `from ${file.path}`.slice(0, 200),
      now: now(),
    })
    const outcome = store.db.within(() => take(tools, library, file, definition))
    const strange = outcome === 'taken' ? strangeKeys(tools, file.kind, definition) : []
    if (strange.length)
      warn(`${file.path}: ${strange.join(', ')} ${strange.length === 1 ? 'is' : 'are'} not known, and left out`)
    return outcome
  } catch (error) {
    if (!(error instanceof BadDefinition)) throw error
    warn(`${file.path}: ${error.message}`)
    return 'bad'
  }
}

function take(tools: WriteTools, library: string, file: LibraryFile, definition: Definition): 'taken' | 'known' {
  const { outcome, id, slug } = takeDefinition(tools, file.kind, definition, file.maker)
  if (outcome === 'taken' && file.kind === 'device-types') addPictures(tools, library, file, id, slug)
  return outcome
}

/** What became of a definition: its object was there before, or has been made. */
interface Taken {
  outcome: 'taken' | 'known'
  id: number
  slug: string
}

/** Makes the type that a definition describes, with its components; its manufacturer too. Throws `BadDefinition`. */
export function takeDefinition(tools: WriteTools, kind: Kind, definition: Definition, maker?: string): Taken {
  const name = definition.manufacturer ?? maker
  if (name === undefined) throw new BadDefinition('has no manufacturer')
  const { model, slug = slugOf(`${String(name)}-${String(model)}`) } = definition
  if (typeof model !== 'string' && typeof model !== 'number') throw new BadDefinition('has no model')
  const manufacturer = makerId(tools, String(name))
  const known = knownId(tools, kind, manufacturer, String(model), String(slug))
  if (known !== undefined) return { outcome: 'known', id: known, slug: String(slug) }
  const { front_image: _front, rear_image: _rear, ...members } = definition // says that there are pictures
  const references = Object.fromEntries(
    ['default_platform', 'profile']
      .filter((key) => typeof definition[key] === 'string')
      .map((key) => [key, { name: definition[key] }]),
  )
  const id = naming('', () => tools.create(Models[kind], { ...members, ...references, manufacturer, slug }))
  if (kind !== 'rack-types') {
    const owner: Owner = { by: kind === 'device-types' ? 'device_type' : 'module_type', id }
    makeComponents(tools, owner, definition, (each) => makerId(tools, each))
  }
  return { outcome: 'taken', id, slug: String(slug) }
}

/** Keys of a definition that nothing is made of. */
function strangeKeys(tools: WriteTools, kind: Kind, definition: Definition): string[] {
  const { fields } = tools.model(Models[kind])
  return Object.keys(definition).filter(
    (key) => !(key in fields) && !Passed.has(key) && !componentKeys.has(key.replaceAll('_', '-')),
  )
}
/** What the library says for others: whether there are pictures, and how a front panel shows. */
const Passed = new Set(['front_image', 'rear_image', 'is_powered'])

function knownId(tools: WriteTools, kind: Kind, manufacturer: number, model: string, slug: string): number | undefined {
  const m = tools.model(Models[kind])
  const one = (where: Where<Row>) => tools.first(m, where, { only: ['id'] })?.id as number | undefined
  return (
    one({ manufacturer_id: manufacturer, model }) ??
    ('slug' in m.fields ? one({ manufacturer_id: manufacturer, slug }) : undefined)
  )
}

const MakerNamed = sql<{ id: number }>`
  select id from dcim_manufacturer where fold(name) = fold(?) or slug = ? order by name = ? desc limit 1`

/** The manufacturer of a name, made where there is none. */
function makerId(tools: WriteTools, name: string): number {
  const slug = slugOf(name)
  const known = tools.get(MakerNamed, name, slug, name)
  return known?.id ?? naming('manufacturer', () => tools.create('dcim.manufacturer', { name, slug }))
}

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')

/** Pictures come last: a file is not taken back with its row. */
function addPictures(tools: WriteTools, library: string, { maker }: LibraryFile, id: number, slug: string): void {
  const found = (['front', 'rear'] as const).flatMap((face) => {
    const picture = pictureOf(library, maker, slug, face)
    return picture ? [[`${face}_image`, new Upload(picture.name, picture.bytes)] as const] : []
  })
  if (found.length) naming('elevation image', () => tools.update('dcim.devicetype', id, Object.fromEntries(found)))
}
