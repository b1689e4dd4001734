import { type Filter, type FilterContext, not, truthOf } from './filter.ts'

const flag = (compile: (wanted: boolean, c: FilterContext) => string): Filter => ({
  lookups: [],
  multiple: false,
  control: { as: 'truth' },
  schema: { type: 'boolean' },
  compile: (values, _lookup, c) => {
    const wanted = truthOf(values.at(-1)!)
    return wanted === undefined ? undefined : compile(wanted, c)
  },
})

/** A stored true or false at the end of a path. */
export const booleanFilter = (path: string): Filter =>
  flag((wanted, c) => c.at(path, (e) => `${e} = ${Number(wanted)}`))
/** True when the path leads to something. */
export const hasFilter = (...paths: string[]): Filter =>
  flag((wanted, c) => {
    const has = paths.map((path) => c.at(path, (e) => `${e} is not null`)).join(' or ')
    return wanted ? `(${has})` : not(has)
  })
/** True when the SQL condition holds. */
export const conditionFilter = (condition: (t: string, c: FilterContext) => string): Filter =>
  flag((wanted, c) => (wanted ? `(${condition(c.t, c)})` : not(condition(c.t, c))))
/** True when any of some stored counters is above zero. */
export const countedFilter = (...counters: string[]): Filter =>
  conditionFilter((t) => counters.map((counter) => `${t}.${counter} > 0`).join(' or '))
