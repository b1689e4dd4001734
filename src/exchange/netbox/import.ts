import { checks } from '../../services/checks.ts'
import { takeBackAll } from '../../services/dangling.ts'
import { lit, q } from '../../lib/sql.ts'
import { allModels, modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Store } from '../../store/open.ts'
import { Copier } from './copier.ts'
import { selection } from './selection.ts'
import { type Source, SourceError } from './source.ts'
import { State } from './state.ts'

/** Number of a model's objects at the source (undefined: it has no such list) and of those that are here from it. */
export interface Count {
  model: string
  source: number | undefined
  target: number
}

interface ImportOptions {
  store: Store
  source: Source
  /** True for a database that was made for this import. */
  isNew: boolean
  only?: readonly string[]
  /** How many objects the source has of each model, when that is known. */
  sizes?: Sizes
  warn: (text: string) => void
  /** Told how much of the work is done. */
  progress: (done: number, total: number) => void
}

/** Objects of each model at the source; undefined for a list that it does not have. */
type Sizes = ReadonlyMap<string, number | undefined>

/**
 * What came of an import: the counts of both sides, and what was taken back because what it needs is not here, by kind.
 */
interface Copied {
  counts: Count[]
  takenBack: ReadonlyMap<string, number>
}

/**
 * Asks for the size of every list, before anything is copied. Throws `SourceError` that names all models that the token
 * may not view.
 */
export async function sizesOf(source: Source, only: readonly string[] = []): Promise<Sizes> {
  const sizes = new Map<string, number | undefined>()
  const forbidden: string[] = []
  for (const m of selection(only)) {
    const count = await source.count(m.path)
    if (count === 'forbidden') forbidden.push(m.name)
    else sizes.set(m.name, count)
  }
  if (forbidden.length)
    throw new SourceError(
      `this token may not view ${forbidden.join(', ')}: ` +
        'give its user these permissions, or name the models to copy with --only',
    )
  return sizes
}

/** Copies a running NetBox; goes on where an earlier import from it stopped. */
export async function importNetbox(options: ImportOptions): Promise<Copied> {
  const { store, source, isNew, only, warn, progress } = options
  const models = selection(only)
  const sizes = options.sizes ?? (await sizesOf(source, only))
  const state = new State(store.db)
  if (state.source !== undefined && state.source !== source.base)
    throw new Error(`this data folder holds an import from ${state.source}`)
  if (state.source === undefined) {
    store.commit.now(() => {
      state.source = source.base
      if (isNew) clearInitial(store)
    })
  }
  store.commit.now(() => {
    state.finished = false
    if (models.every((m) => state.stage(m.name)?.isCopied)) state.startOver(models.map((m) => m.name))
  })
  const total = [...sizes.values()].reduce<number>((sum, size) => sum + (size ?? 0), 0)
  let done = models.reduce((sum, m) => sum + (state.stage(m.name)?.copied ?? 0), 0)
  const seen = (objects: number) => {
    done += objects
    progress(done, total)
  }
  store.db.raw.pragma('foreign_keys = off') // rows come before those they refer to: cycles need no second pass
  let takenBack: ReadonlyMap<string, number>
  try {
    const copier = new Copier({ store, source, state, warn, seen })
    copier.begin(models)
    for (const m of models) await copier.settleIds(m)
    for (const m of models) await copier.copy(m)
    store.commit.now(() => nameBareMacs(store))
    takenBack = store.commit.now(() => new Map([...takeBackAll(store.db), ...clearCustomReferences(store)]))
  } finally {
    store.db.raw.pragma('foreign_keys = on')
  }
  deriveAll(store)
  store.commit.now(() => {
    state.finished = true
  })
  return { counts: await countsOf(store, source, state, models), takenBack }
}

/** Takes away what a fresh database holds: the source has its own. */
function clearInitial(store: Store): void {
  for (const m of allModels.filter((each) => each.initial)) {
    store.db.run(`delete from ${q(m.table)}`)
    store.db.run('delete from sqlite_sequence where name = ?', m.table)
  }
  store.db.run('delete from core_objectchange')
  store.db.run("delete from sqlite_sequence where name = 'core_objectchange'")
}

/** MAC addresses that came with their interface (from versions before 4.2) are its primary ones. */
function nameBareMacs({ db }: Store): void {
  for (const { name, table } of ['dcim.interface', 'virtualization.vminterface'].map(modelNamed)) {
    db.run(`update ${q(table)} as t set primary_mac_address_id = (select min(c.id) from dcim_macaddress c
      where c.assigned_object_type = '${name}' and c.assigned_object_id = t.id)
      where t.primary_mac_address_id is null and exists (select 1 from dcim_macaddress c
        where c.assigned_object_type = '${name}' and c.assigned_object_id = t.id and c.created is null)`)
  }
}

/** Takes objects that are not here out of custom fields. Answers how many of each kind. */
function clearCustomReferences({ db, customFields }: Store): Map<string, number> {
  const done = new Map<string, number>()
  for (const m of allModels) {
    for (const { name, type, related_object_type: related } of customFields.of(m)) {
      if ((type !== 'object' && type !== 'multiobject') || !related) continue
      const here = `(select id from ${q(modelNamed(related).table)})`
      const [path, value] = [lit(`$."${name}"`), `custom_field_data -> ${lit(`$."${name}"`)}`]
      const items = `json_each(case when json_type(${value}) = 'array' then ${value}
        else json_array(json(${value})) end)`
      const left = `(select json_group_array(value) from ${items} where value in ${here})`
      const kept = type === 'object' ? 'null' : `json(${left})`
      const { changes } =
        db.run(`update ${q(m.table)} set custom_field_data = json_set(custom_field_data, ${path}, ${kept})
        where json_type(${value}) in ('integer', 'array') and exists (select 1 from ${items}
          where value not in ${here})`)
      if (changes) done.set(`${m.name}: custom field ${name}, because its ${related} is not here`, changes)
    }
  }
  return done
}

/** Works out counters, trees, keys, places and cable paths anew. */
function deriveAll(store: Store): void {
  for (const { run } of checks) store.commit.now(() => run(store, true))
}

async function countsOf(store: Store, source: Source, state: State, models: readonly AnyModel[]): Promise<Count[]> {
  const counts: Count[] = []
  for (const m of models) {
    const { before, matched } = state.stage(m.name)!
    const here = store.db.get<{ n: number }>(`select count(*) as n from ${q(m.table)}`)!.n
    const count = await source.count(m.path)
    counts.push({ model: m.name, source: count === 'forbidden' ? undefined : count, target: here - before + matched })
  }
  return counts
}
