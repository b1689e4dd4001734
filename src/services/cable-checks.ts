import { randomUUID } from 'node:crypto'
import { System } from '../engine/actor.ts'
import { q } from '../lib/sql.ts'
import type { WriteTools } from '../declare/behaviour.ts'
import { modelNamed } from '../engine/catalog.ts'
import type { Store } from '../store/open.ts'
import { Writing } from '../store/write.ts'
import { now } from '../lib/datetime.ts'
import { CabledModels } from '../rules/cabled-fields.ts'
import { knowsPeers, writePeers } from '../rules/cables.ts'
import { addAll, found, inSteps, type Outcome } from './derived.ts'
import { inRanges } from './id-ranges.ts'
import { type Node, retrace, retraceWrong, wrongPaths } from '../rules/paths.ts'

/** What rules use to write, on the command line's own behalf. */
const toolsOf = (store: Store): WriteTools =>
  new Writing(store, System, { userId: null, username: '', requestId: randomUUID(), message: '', now: now() }).tools

/** What the termination of a cable says of the object that it is at. */
const Marks = {
  cable_id: 'c.cable_id',
  cable_end: 'c.cable_end',
  cable_connector: 'c.connector',
  cable_positions: 'c.positions',
}

/** Objects at the ends of cables, what is opposite, and the paths that begin there. */
export function cabling(store: Store, repair: boolean): Outcome {
  const problems: string[] = []
  for (const model of CabledModels) addAll(problems, marks(store, model, repair))
  const tools = toolsOf(store)
  const select = 'select id from dcim_cable where id between :from and :to'
  const alone = inRanges(store, 'dcim_cable', (range) =>
    store.db.all<{ id: number }>(select, range).filter(({ id }) => !knowsPeers(tools, id)),
  )
  addAll(
    problems,
    alone.map(({ id }) => `dcim.cable ${id}: peers`),
  )
  const peer = (some: typeof alone) => {
    for (const { id } of some) writePeers(tools, id)
  }
  if (repair) inSteps(store, alone, peer)
  const strays = Endpoints.flatMap((model) => astray(store, model, repair))
  addAll(problems, strays)
  const lost = pathless(store)
  addAll(
    problems,
    lost.map(({ type, id }) => `${type} ${id}: no path`),
  )
  if (repair) inSteps(store, lost, (some) => retrace(tools, [], some))
  const wrong = wrongPaths(tools, (work) => store.db.atOneMoment(work))
  for (const { id, ends } of wrong)
    problems.push(...(ends.length ? ends.map((end) => `${end.type} ${end.id}: path`) : [`dcim.cablepath ${id}: path`]))
  if (repair) inSteps(store, wrong, (some) => retraceWrong(tools, some))
  return found(problems, repair ? problems.length : 0)
}

function marks(store: Store, model: string, repair: boolean): string[] {
  const { table } = modelNamed(model)
  const at = (sql: string) =>
    `(select ${sql} from dcim_cabletermination c where c.termination_type = '${model}' and c.termination_id = t.id)`
  const differs = Object.entries(Marks)
    .map(([name, sql]) => `t.${q(name)} is not ${at(sql)}`)
    .join(' or ')
  const select = `select t.id from ${q(table)} t where t.id between :from and :to and (${differs})`
  const wrong = inRanges(store, table, (range) => store.db.all<{ id: number }>(select, range))
  const set = Object.entries(Marks)
    .map(([name, sql]) => `${q(name)} = ${at(sql)}`)
    .join(', ')
  const setRight = (some: { id: number }[]) =>
    store.db.run(
      `update ${q(table)} as t set ${set} where t.id in (select value from json_each(?)) and (${differs})`,
      JSON.stringify(some.map(({ id }) => id)),
    )
  if (repair) inSteps(store, wrong, setRight)
  return wrong.map(({ id }) => `${model} ${id}: cable`)
}

const Endpoints = CabledModels.filter((model) => modelNamed(model).fields._path)

/** Ends that name the path of others, or one that is none: they have no path. */
function astray(store: Store, model: string, repair: boolean): string[] {
  const { table } = modelNamed(model)
  const select = `select t.id from ${q(table)} t where t.id between :from and :to and t._path_id is not null
    and not exists (select 1 from dcim_cablepath p,
      json_each(case when json_valid(p.path) then p.path else '[]' end, '$[0]') n
      where p.id = t._path_id and n.value = '${model}:' || t.id)`
  const wrong = inRanges(store, table, (range) => store.db.all<{ id: number }>(select, range))
  const clear = (some: { id: number }[]) =>
    store.db.run(
      `update ${q(table)} set _path_id = null where id in (select value from json_each(?))`,
      JSON.stringify(some.map(({ id }) => id)),
    )
  if (repair) inSteps(store, wrong, clear)
  return wrong.map(({ id }) => `${model} ${id}: path`)
}

/** Ends of links where a path should begin, and none does. */
function pathless(store: Store): Node[] {
  return Endpoints.flatMap((model) => {
    const linked =
      model === 'dcim.interface'
        ? '(t.cable_id is not null or t.wireless_link_id is not null)'
        : 't.cable_id is not null'
    const { table } = modelNamed(model)
    const select = `select t.id from ${q(table)} t where t.id between :from and :to
      and ${linked} and (t._path_id is null or not exists (select 1 from dcim_cablepath p
      where p.id = t._path_id)) order by t.id`
    return inRanges(store, table, (range) => store.db.all<{ id: number }>(select, range)).map(({ id }) => ({
      type: model,
      id,
    }))
  })
}
