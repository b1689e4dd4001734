import { checks } from '../domain/checks.ts'
import { q } from '../fields/field.ts'
import { allModels, modelNamed } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'
import type { Store } from '../store/open.ts'
import { Copier } from './copier.ts'
import { mendReferences } from './mend.ts'
import { selection } from './selection.ts'
import type { Source } from './source.ts'
import { State } from './state.ts'

/** Number of a model's objects at the source (undefined: it has no such list) and of those that are here from it. */
export interface Count {
  model: string
  source: number | undefined
  target: number
}

export interface ImportOptions {
  store: Store
  source: Source
  /** True for a database that was made for this import. */
  isNew: boolean
  only?: readonly string[]
  warn: (text: string) => void
  /** Told how much of the work is done. */
  progress: (done: number, total: number) => void
}

/** Copies a running NetBox; goes on where an earlier import from it stopped. Answers the counts of both sides. */
export async function importNetbox({ store, source, isNew, only, warn, progress }: ImportOptions): Promise<Count[]> {
  const models = selection(only)
  const state = new State(store.db)
  if (state.source !== undefined && state.source !== source.base)
    throw new Error(`this data folder holds an import from ${state.source}`)
  if (state.source === undefined) {
    store.commit.now(() => {
      state.source = source.base
      if (isNew) clearInitial(store)
    })
  }
  if (models.every((m) => state.stage(m.name)?.isCopied))
    store.commit.now(() => state.startOver(models.map((m) => m.name)))
  const total = await sizeOf(source, models)
  let done = models.reduce((sum, m) => sum + (state.stage(m.name)?.copied ?? 0), 0)
  const seen = (objects: number) => {
    done += objects
    progress(done, total)
  }
  store.db.raw.pragma('foreign_keys = off') // rows come before those they refer to: cycles need no second pass
  try {
    const copier = new Copier({ store, source, state, warn, seen })
    copier.begin(models)
    for (const m of models) await copier.settleIds(m)
    for (const m of models) await copier.copy(m)
    store.commit.now(() => nameBareMacs(store))
    for (const text of store.commit.now(() => mendReferences(store))) warn(text)
  } finally {
    store.db.raw.pragma('foreign_keys = on')
  }
  deriveAll(store)
  return countsOf(store, source, state, models)
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
    db.run(`update ${q(table)} as t set primary_mac_address_id = (select min(c.id) from dcim_macaddress c where c.assigned_object_type = '${name}' and c.assigned_object_id = t.id)
      where t.primary_mac_address_id is null and exists (select 1 from dcim_macaddress c where c.assigned_object_type = '${name}' and c.assigned_object_id = t.id and c.created is null)`)
  }
}

/** Works out counters, trees, keys, places and cable paths anew. */
function deriveAll(store: Store): void {
  for (const { run } of checks) store.commit.now(() => run(store, true))
}

async function sizeOf(source: Source, models: readonly AnyModel[]): Promise<number> {
  let total = 0
  for (const m of models) total += (await source.count(m.path)) ?? 0
  return total
}

async function countsOf(store: Store, source: Source, state: State, models: readonly AnyModel[]): Promise<Count[]> {
  const counts: Count[] = []
  for (const m of models) {
    const { before, matched } = state.stage(m.name)!
    const here = store.db.get<{ n: number }>(`select count(*) as n from ${q(m.table)}`)!.n
    const count = await source.count(m.path)
    counts.push({ model: m.name, source: count, target: here - before + matched })
  }
  return counts
}
