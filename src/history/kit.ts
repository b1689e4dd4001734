import { randomUUID } from 'node:crypto'
import { now } from '../lib/datetime.ts'
import type { Row } from '../fields/field.ts'
import { System } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { Manner } from '../store/commit.ts'
import type { Authorship } from '../store/changelog.ts'
import type { Connection } from '../store/database.ts'
import { changeSelf, type KitSelf, lastStep, rowOf, rowText, selfOf } from '../store/kit.ts'
import type { Store } from '../store/open.ts'
import { Writing } from '../store/write.ts'
import { changedAccounts, isOwnLink, ownAccountsIn, takeAccounts } from './accounts.ts'
import { RecordColumns, type TheirRecord } from './authors.ts'
import { BundleError, demandFit, headerOf, MostEarlier, packBundle, readBundle, type RowLine } from './bundle.ts'
import { demandForm } from './bundle-form.ts'
import { changedSince, rowNow, type Since } from './changes.ts'
import {
  accountTables,
  type Coming,
  type Decide,
  type Decided,
  exchanged,
  isLink,
  linkIn,
  linkKey,
  storedLink,
} from './coming.ts'
import { isOtherByFields } from './custom-moves.ts'
import { rowsDiffer } from './merge.ts'
import { type Merged, mergeIn } from './merge-in.ts'
import { filesOfRows, keepFiles } from './kit-files.ts'
import { ownerOfEnd } from './references.ts'
import { earlierStates } from './since.ts'

/** What a kit knows of itself. Throws `BundleError` for a database that is none. */
export function demandKit(db: Connection): KitSelf {
  const self = selfOf(db)
  if (!self) throw new BundleError('This data folder is no kit: cabinet clone makes one.')
  return self
}

/**
 * Rows that are another on this side than where both parted, as both sides will compare them; links by what they link.
 */
export function realChanges(all: ReadonlyMap<string, Since>): Map<string, Since> {
  const links = new Map<string, boolean[]>()
  const found = new Map<string, Since>()
  const isOtherSo = isOtherByFields(all.values())
  const keysOf = ({ place, before, now }: Since) =>
    [before, now].map((row) => {
      const link = row && linkIn(place, row)
      return link ? linkKey(link) : undefined
    })
  for (const each of all.values())
    if (isLink(each.place))
      for (const [i, key] of keysOf(each).entries())
        if (key) {
          const was = links.get(key) ?? [false, false]
          was[i] = true
          links.set(key, was)
        }
  for (const [key, each] of all) {
    const { place, before, now } = each
    if (isLink(place)) {
      const [was, is] = keysOf(each)
      const isChanged = [was, is].some((name) => name && links.get(name)![0] !== links.get(name)![1])
      if (isChanged && was !== is) found.set(key, each)
      continue
    }
    const isOther = (was: Row, is: Row) => rowsDiffer(place.m, was, is) || isOtherSo(place.m, was, is)
    if (before && now ? isOther(before, now) : before || now) found.set(key, each)
  }
  return found
}

interface Kept {
  name: string
  row_id: number
  row: string | null
}

/**
 * A row as the other side has, or had, it, with what it is here. A link is sought by what it links: a list that is
 * written anew has other ids on that side, and is no change of this one.
 */
function besideNow(db: Connection, place: Since['place'], id: number, before: Row | null): Since {
  const now = rowNow(db, place.table, id)
  const link = before && linkIn(place, before)
  const stored = link && storedLink(db, link)
  if (!stored || stored.id === id) return { place, id, before, now }
  return now ? { place, id, before: null, now } : { place, id, before, now: stored }
}

/**
 * All rows that are, or may be, another than where the kit and its source parted; without links to accounts of the kit,
 * which stay in it as those do.
 */
function touched(db: Connection, self: KitSelf): Map<string, Since> {
  const found = new Map<string, Since>()
  for (const [key, each] of changedSince(db, self.here)) if (exchanged().has(each.place.table)) found.set(key, each)
  for (const { name, row_id: id, row } of db.all<Kept>('select name, row_id, row from kit_parted')) {
    const place = exchanged().get(name)
    if (place) found.set(`${name}:${id}`, besideNow(db, place, id, rowOf(row)))
  }
  for (const [key, each] of found) if (isOwnLink(self, each)) found.delete(key)
  return found
}

/** What a kit changed and its source does not have. */
export const changesHere = (db: Connection, self: KitSelf): Map<string, Since> => realChanges(touched(db, self))

/** Keeps in mind how rows were where both parted, of those that are another now. */
function keepParted(db: Connection, states: ReadonlyMap<string, Since>): void {
  db.run('delete from kit_parted')
  for (const { place, id, before } of realChanges(states).values())
    db.run('insert into kit_parted (name, row_id, row) values (?, ?, ?)', place.table, id, rowText(before))
}

/** A push as bytes, and what it holds. */
export interface Push {
  push: number
  id: string
  bytes: Buffer
  objects: number
}

/**
 * What the kit changed, for its source; undefined where that is nothing. It counts as sent until the source says that
 * it came. Called inside a transaction.
 */
export function makePush(store: Store): Push | undefined {
  const { db } = store
  const self = demandKit(db)
  const changes = touched(db, self)
  const real = realChanges(changes)
  if (real.size === 0) return undefined
  const sent = Map.groupBy(
    db.all<Kept & { push: number }>('select name, row_id, push, row from kit_sent order by push'),
    ({ name, row_id }) => `${name}:${row_id}`,
  )
  for (const [key, [first]] of sent)
    if (!real.has(key)) {
      const place = exchanged().get(first!.name)
      const row = place && rowNow(db, first!.name, first!.row_id)
      if (place) real.set(key, changes.get(key) ?? { place, id: first!.row_id, before: row!, now: row! })
    }
  const push = self.sent + 1
  const id = randomUUID()
  const rows = [...real].map(([key, { place, id: row, before, now: is }]): RowLine => {
    const states = [
      ['0', rowText(before)] as const,
      ...(sent.get(key) ?? []).map((each) => [String(each.push), each.row] as const),
    ]
    const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as RowLine['r']))
    const earlier = is && !isLink(place) ? statesBetween(db, { place, id: row, before, now: is }) : []
    const own = is && !isLink(place) ? ownAccountsIn(db, self, place.m, is) : {}
    return {
      t: place.table,
      i: row,
      b: Object.fromEntries(states.map(([n, text]) => [n, parsed(text)])),
      r: parsed(rowText(is)),
      ...(earlier.length ? { e: earlier.map((state) => parsed(rowText(state))!) } : {}),
      ...(Object.keys(own).length ? { n: own } : {}),
    }
  })
  const last = db.get<{ id: number | null }>('select max(id) as id from core_objectchange')!.id ?? 0
  const records = recordsOf(db, self.told, objectsOf(real.values()), true)
  const coming = [...real.values()].map(
    ({ place, id: row, before, now: is }): Coming => ({ place, id: row, base: before, row: is }),
  )
  const header = headerOf(db, self.key, {
    from: 'kit',
    kit: self.number,
    name: self.name,
    push,
    id,
    step: self.there,
    time: self.there_time,
  })
  const bytes = packBundle(self.key, header, rows, records, filesOfRows(store.uploads, coming))
  db.run('insert into kit_push (push, id, change_id) values (?, ?, ?)', push, id, last)
  for (const { place, id: row, now: is } of real.values())
    db.run('insert into kit_sent (name, row_id, push, row) values (?, ?, ?, ?)', place.table, row, push, rowText(is))
  changeSelf(db, { sent: push })
  return { push, id, bytes, objects: new Set(objectsOf(real.values())).size }
}

/** How a row was in the kit since both parted, but not then, and is not any more: the latest first. */
function statesBetween(db: Connection, { place, id, before, now }: Since): Row[] {
  const states = earlierStates(db, place.table, id)
  const parted = before ? states.findIndex((state) => !rowsDiffer(place.m, before, state)) : -1
  return states
    .slice(0, parted < 0 ? undefined : parted)
    .filter((state) => rowsDiffer(place.m, now!, state))
    .slice(0, MostEarlier)
}

/** A push that was refused is as one that never was. */
export function forgetPush(db: Connection, push: number): void {
  db.run('delete from kit_push where push = ?', push)
  db.run('delete from kit_sent where push = ?', push)
}

/** Objects whose change records tell of some rows: `<model>:<id>`. */
export function objectsOf(rows: Iterable<Pick<Since, 'place' | 'id' | 'before' | 'now'>>): string[] {
  const found = new Set<string>()
  for (const { place, id, before, now: is } of rows) {
    const row = is ?? before
    const link = row && linkIn(place, row)
    if (link) found.add(`${link.owner.name}:${link.from}`)
    else if (!isLink(place)) found.add(`${place.m.name}:${id}`)
    const end = isLink(place) ? undefined : ownerOfEnd(place.m)
    for (const each of end ? [before, is] : []) if (each) found.add(`${end!.owner.name}:${each[`${end!.field}_id`]}`)
  }
  return [...found]
}

/** How many objects of each model some rows are of, for people: an end of a cable is none. */
export function countsOf(rows: Iterable<Since>): Map<string, number> {
  const models = objectsOf(rows).map((name) => name.split(':')[0]!)
  const own = models.filter((name) => !ownerOfEnd(modelNamed(name)))
  return new Map([...Map.groupBy(own, (name) => name)].map(([name, all]) => [name, all.length]))
}

/** Change records after one, of some objects; `isOwn`: without those that tell of what came from the source. */
export const recordsOf = (db: Connection, after: number, objects: readonly string[], isOwn: boolean): TheirRecord[] =>
  db.all<TheirRecord>(
    `select ${RecordColumns} from core_objectchange c where c.id > ?
      and c.changed_object_type || ':' || c.changed_object_id in (select value from json_each(?))
      ${isOwn ? 'and not exists (select 1 from kit_pull p where c.id between p.first and p.last)' : ''} order by c.id`,
    after,
    JSON.stringify(objects),
  )

/** The source has the pushes up to one: where both parted is what was sent with them. */
function acknowledge(db: Connection, self: KitSelf, pushed: number, id: string): KitSelf {
  const last = db.get<{ id: string; change_id: number }>('select id, change_id from kit_push where push = ?', pushed)
  if (pushed > self.sent || (last && last.id !== id))
    throw new BundleError(
      `Another copy of this kit has pushed already (its push ${pushed}): work on with that one, or clone anew.`,
    )
  if (pushed <= self.taken) return self
  const states = touched(db, self)
  for (const { name, row_id, row } of db.all<Kept>(
    `select name, row_id, row from kit_sent s
      where push = (select max(push) from kit_sent where name = s.name and row_id = s.row_id and push <= ?)`,
    pushed,
  )) {
    const place = exchanged().get(name)
    if (place) states.set(`${name}:${row_id}`, besideNow(db, place, row_id, rowOf(row)))
  }
  keepParted(db, new Map([...states, ...changedAccounts(db, self)]))
  db.run('delete from kit_sent where push <= ?', pushed)
  db.run('delete from kit_push where push <= ?', pushed)
  const change = { taken: pushed, told: last?.change_id ?? self.told, here: lastStep(db) }
  changeSelf(db, change)
  return { ...self, ...change }
}

export interface Pulled extends Merged {
  /** Objects that came. */
  objects: number
}

/** What a merge into a kit is told. */
export interface PullOptions {
  decide: Decide
  /** Who decides, where that is known, and why. */
  decider?: Pick<Authorship, 'userId' | 'username' | 'requestId' | 'message'>
  isTrial?: boolean
  /** Of a trial in which nothing is open: is called once all is done, before it is taken back. */
  tried?: (() => void) | undefined
  /** Is told what was decided, before it is committed. */
  keep?: (decided: readonly Decided[]) => void
  /** True: the answer to a request of this moment, so that clocks can be compared. */
  isNow?: boolean
}

/** Notes, inside a transaction, that the source has a push. */
export function notePushed(db: Connection, pushed: number, id: string): void {
  acknowledge(db, demandKit(db), pushed, id)
}

/** Makes the changes of the source in the kit: all of them, or none where conflicts are open. Throws `BundleError`. */
export function takePull(store: Store, bytes: Buffer, options: PullOptions): Pulled {
  const { work, manner } = pulling(store, bytes, options)
  return store.commit.now(work, manner)
}

/** The same as work for a transaction, and in which manner: where nothing came, nothing is tried. */
export function pulling(store: Store, bytes: Buffer, options: PullOptions): { work: () => Pulled; manner: Manner } {
  const { db } = store
  const known = demandKit(db)
  const bundle = readBundle(bytes, ({ from, kit }) => {
    if (from !== 'source') throw new BundleError('The bundle comes from a kit: cabinet apply takes it at the source.')
    if (kit !== known.number) throw new BundleError('The bundle is for another kit.')
    return known.key
  })
  demandFit(db, bundle.header, options.isNow === true)
  demandForm(db, bundle)
  const { header } = bundle
  const records = bundle.records
  const work = (): Pulled => {
    const self = acknowledge(db, demandKit(db), header.push, header.id)
    if (header.step < self.there) throw new BundleError('The bundle is older than what this kit knows already.')
    const [lines, accounts] = [exchanged(), accountTables()].map((of) => bundle.rows.filter(({ t }) => of.has(t)))
    return allOrNothing(db, options, () => {
      const taken = takeAccounts(
        db,
        self,
        accounts!.map(({ t, i, r }) => ({ t, i, r: rowOf(r) })),
      )
      const here = changesHere(db, self)
      const coming = keepFiles(
        db,
        store.uploads,
        bundle.files,
        lines!.map((line) => comingOf(db, line, here)),
      )
      const there = { there: header.step, there_time: header.time }
      return pullIn(store, self, { coming, here, records, accounts: taken }, there, options)
    })
  }
  return { work, manner: bundle.rows.length > 0 ? 'tentative' : 'plain' }
}

/** A row of the source, with what it was where both parted. */
function comingOf(db: Connection, { t, i, r, b }: RowLine, here: ReadonlyMap<string, Since>): Coming {
  const place = exchanged().get(t)!
  const row = rowOf(r)
  if (isLink(place)) return { place, id: i, base: rowOf(b?.['0'] ?? null), row }
  const since = here.get(`${t}:${i}`)
  return { place, id: i, base: since ? since.before : rowNow(db, t, i), row }
}

class NotPulled extends Error {
  readonly pulled: Pulled
  constructor(pulled: Pulled) {
    super()
    this.pulled = pulled
  }
}

/** Does a pull; one that is only tried, or where conflicts are open, leaves accounts as they were too. */
export function allOrNothing(db: Connection, { isTrial, tried }: PullOptions, work: () => Pulled): Pulled {
  try {
    return db.within(() => {
      const pulled = work()
      if (isTrial && pulled.conflicts.length === 0) tried?.()
      if (isTrial || pulled.conflicts.length) throw new NotPulled(pulled)
      return pulled
    })
  } catch (error) {
    if (error instanceof NotPulled) return error.pulled
    throw error
  }
}

/** Letters of who decided and why that messages of others get. */
const MaxMark = 120
const decisionMark = ({ username, message }: Pick<Authorship, 'username' | 'message'>): string =>
  `(decided by ${[username, message].filter(Boolean).join(': ').slice(0, MaxMark)})`

/** What came into a kit, and what it has itself. */
interface Came {
  coming: readonly Coming[]
  here: ReadonlyMap<string, Since>
  records: readonly TheirRecord[]
  accounts: ReturnType<typeof takeAccounts>
}

/** Merges what came into the kit, and remembers where both sides part from then on. */
export function pullIn(
  store: Store,
  self: KitSelf,
  { coming, here, records, accounts }: Came,
  there: Pick<KitSelf, 'there' | 'there_time'>,
  { decide, decider, isTrial = false, keep }: PullOptions,
): Pulled {
  const { db } = store
  const before = touched(db, self)
  const last = () => db.get<{ id: number | null }>('select max(id) as id from core_objectchange')!.id ?? 0
  const first = last()
  const all = [...coming, ...accounts.going]
  const nobody = { userId: null, username: '', requestId: randomUUID() }
  const message = decider?.message || `Follows from what was decided, or pulled from ${self.url}`
  const by = { ...nobody, ...decider, message, now: now() }
  const unknown = { ...by, ...nobody, message: `Pulled from ${self.url}; who changed it is not known` }
  const came = objectsOf(all.map((each) => ({ ...each, before: each.base, now: each.row })))
  const w = new Writing(store, System, by)
  const merged = mergeIn(w, all, here, {
    decide,
    records,
    signing: { mark: '', unknown: { by: unknown, objects: new Set(came) } },
    decisionMark: decider && decisionMark(decider),
    suffix: self.name,
    isOfSource: true,
  })
  const decided = [...accounts.decided, ...merged.decided]
  const objects = objectsOf(coming.map((each) => ({ ...each, before: each.base, now: each.row }))).length
  if (merged.conflicts.length) return { ...merged, decided, objects }
  if (isTrial) w.feed.drop()
  else keep?.(decided)
  const states = touched(db, self)
  for (const [key, each] of before)
    if (!states.has(key)) states.set(key, besideNow(db, each.place, each.id, each.before))
  for (const { place, id, row } of all) states.set(`${place.table}:${id}`, besideNow(db, place, id, row))
  keepParted(db, states)
  if (last() > first) db.run('insert into kit_pull (first, last) values (?, ?)', first + 1, last())
  changeSelf(db, { ...there, here: lastStep(db) })
  return { ...merged, decided, objects }
}
