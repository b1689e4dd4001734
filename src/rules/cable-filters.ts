import { type Filter, type FilterContext, truthOf } from '../filters/filter.ts'
import { methodFilter } from '../filters/method.ts'
import { textAmong } from '../filters/string.ts'
import { CabledModels } from './cabled-fields.ts'

const ids = (values: readonly string[], c: FilterContext): string =>
  values
    .filter((value) => /^\s*\d{1,15}\s*$/.test(value))
    .map((value) => c.bind(Number(value)))
    .join(', ')
const some = (t: string, where: string): string =>
  `${t}.id in (select k.cable_id from dcim_cabletermination k where ${where})`
const has = (t: string, where: string): string =>
  `exists (select 1 from dcim_cabletermination k where k.cable_id = ${t}.id and ${where})`
const at = (compile: (values: readonly string[], c: FilterContext) => string): Filter =>
  methodFilter((values, c) => {
    c.uses('dcim_cabletermination')
    return compile(values, c)
  })

/** `<place>_id` and `<place>`: cables of which an end is there. */
function place(name: string, attribute: string): Record<string, Filter> {
  const table = `dcim_${name}`
  return {
    [`${name}_id`]: at((values, c) => some(c.t, `k._${name}_id in (${ids(values, c) || 'null'})`)),
    [name]: at((values, c) => {
      c.uses(table)
      const place = { model: c.related(`dcim.${name}`), column: attribute, t: 'p' }
      return some(
        c.t,
        `k._${name}_id in (select p.id from ${table} p where ${textAmong(`p.${attribute}`, place, values, c)})`,
      )
    }),
  }
}

/** All of them, since the index has the type before the id. */
const Types = CabledModels.map((model) => `'${model}'`).join(', ')
const short = (model: string): string => model.split('.')[1]!
const side = (end: 'A' | 'B'): Filter =>
  at((values, c) =>
    some(
      c.t,
      `k.termination_type in (${Types}) and k.termination_id in (${ids(values, c) || 'null'})
        and k.cable_end = '${end}'`,
    ),
  )

/** Parameters of cables that look at their ends. */
export const cableFilters: Record<string, Filter> = {
  termination_a_id: side('A'),
  termination_b_id: side('B'),
  unterminated: methodFilter(
    ([value], c) => {
      const wanted = truthOf(value!)
      c.uses('dcim_cabletermination')
      const both = `(${has(c.t, "k.cable_end = 'A'")} and ${has(c.t, "k.cable_end = 'B'")})`
      return wanted === undefined ? undefined : wanted ? `not ${both}` : both
    },
    { single: true },
  ),
  ...place('device', 'name'),
  ...place('rack', 'name'),
  ...place('location', 'name'),
  ...place('site', 'slug'),
  ...Object.fromEntries(
    CabledModels.map((model) => [
      `${short(model)}_id`,
      at((values, c) =>
        some(c.t, `k.termination_type = '${model}' and k.termination_id in (${ids(values, c) || 'null'})`),
      ),
    ]),
  ),
}

/** `<kind>_id` of cable terminations. */
export const terminationFilters: Record<string, Filter> = Object.fromEntries(
  CabledModels.map((model) => [
    `${short(model)}_id`,
    methodFilter(
      (values, c) =>
        `(${c.t}.termination_type = '${model}' and ${c.t}.termination_id in (${ids(values, c) || 'null'}))`,
    ),
  ]),
)
