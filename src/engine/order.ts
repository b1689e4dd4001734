import type { Column, Field } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import { changeColumn, fieldsOf, modelNamed } from './catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { comparing } from './paths.ts'

/** ORDER BY of a list: its terms, the joins they need, and the tables they read. */
export interface Order {
  joins: string
  terms: string
  /** The terms of the opposite order. */
  reversed: string
  /** What the model's own order sorts by first, where every row has it. */
  lead: { expression: string; isDown: boolean } | undefined
  /** The terms as they may be said where no row lacks a value of `column`, so that its index has them. */
  filled: { column: string; terms: string; reversed: string } | undefined
  /** The reference by whose target alone rows are sorted, then by id. */
  by: { column: string; target: AnyModel; isDown: boolean; isNullable: boolean } | undefined
  uses: ReadonlySet<string>
}

interface Making {
  joins: string[]
  terms: string[]
  lead: Order['lead']
  uses: Set<string>
  alias: () => string
  /** How many references lead to the table whose order is being written. */
  depth: number
}

/** References are followed this far; those beyond sort by id. */
const MaxDepth = 5
/** SQLite joins 64 tables at most; references beyond this many joins sort by id. */
const MaxJoins = 40

/**
 * Order of a list: the known names of `?ordering=` in turn, else the model's own; rows are those of alias `t`.
 * A reference sorts by its target's order, nulls last ascending and first descending.
 */
export function orderOf(m: AnyModel, asked?: string, t = 't', alias = numbered()): Order {
  const making: Making = { joins: [], terms: [], lead: undefined, uses: new Set(), alias, depth: 0 }
  const seen = new Set<string>()
  const names = (asked ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => isOrderable(m, bare(name)) && !seen.has(bare(name)) && seen.add(bare(name)))
  for (const name of names) term(m, t, name, false, making)
  if (names.length === 0) defaultTerms(m, t, false, making)
  const last = names.at(-1) ?? m.order.at(-1)
  // Rows of one moment: newest first where the newest come first.
  making.terms.push(last?.startsWith('-') && !m.tree ? `${t}.id desc` : `${t}.id`)
  const column = bare(names[0] ?? '')
  const filled = making.terms.map((each) => each.replace(/ nulls (first|last)$/, ''))
  return {
    joins: making.joins.join(' '),
    terms: making.terms.join(', '),
    reversed: making.terms.map(opposite).join(', '),
    filled:
      names.length === 1 && column === changeColumn(m)
        ? { column, terms: filled.join(', '), reversed: filled.map(opposite).join(', ') }
        : undefined,
    lead: names.length === 0 ? making.lead : undefined,
    by: names.length === 1 ? referenceOf(m, names[0]!) : undefined,
    uses: making.uses,
  }
}

function referenceOf(m: AnyModel, name: string): Order['by'] {
  const [column, isDown] = [bare(name), name.startsWith('-')]
  const { target, options } = m.fields[column] ?? {}
  return target && !(m.tree && isDown)
    ? { column: `${column}_id`, target: modelNamed(target.model), isDown, isNullable: options!.nullable === true }
    : undefined
}

/** A term the other way round. */
function opposite(term: string): string {
  const [, expression, down, nulls] = /^(.*?)( desc)?(?: nulls (first|last))?$/s.exec(term)!
  return `${expression}${down ? '' : ' desc'}${nulls ? ` nulls ${nulls === 'first' ? 'last' : 'first'}` : ''}`
}

function numbered(): () => string {
  let last = 0
  return () => `o${++last}`
}

const bare = (name: string): string => name.replace(/^-/, '')

/** The field that brings a member of another name, as a generic reference its type and id. */
const ownerOf = (m: AnyModel, name: string): [string, Field] | undefined =>
  fieldsOf(m).find(([own, field]) => field.keys?.(own).includes(name))

function isOrderable(m: AnyModel, name: string): boolean {
  const field = m.fields[name]
  return (
    name === 'id' ||
    Boolean(field && (field.compare || field.target) && !field.options.hidden && !field.options.writeOnly) ||
    ownerOf(m, name) !== undefined
  )
}

function defaultTerms(m: AnyModel, t: string, reverse: boolean, making: Making, outer = false): void {
  if (m.tree) making.terms.push(`${t}._place${reverse ? ' desc' : ''}`)
  else for (const name of m.order) term(m, t, name, reverse, making, outer)
}

function term(m: AnyModel, t: string, asked: string, reverse: boolean, making: Making, outer = false): void {
  const name = asked.replace(/^-/, '')
  const down = asked.startsWith('-') !== reverse
  const field = m.fields[name]
  if (field?.target && making.joins.length >= MaxJoins) {
    making.terms.push(`${t}.${q(`${name}_id`)} ${down ? 'desc nulls first' : 'nulls last'}`)
    return
  }
  if (field?.target) {
    const target = modelNamed(field.target.model)
    const a = making.alias()
    making.uses.add(target.table)
    const isOuter = field.options.nullable || outer
    making.joins.push(`${isOuter ? 'left join' : 'join'} ${q(target.table)} ${a} on ${a}.id = ${t}.${q(`${name}_id`)}`)
    if (isOuter) making.terms.push(`${t}.${q(`${name}_id`)} is null${down ? ' desc' : ''}`)
    making.depth++
    if (making.depth <= MaxDepth) defaultTerms(target, a, down, making, outer || field.options.nullable === true)
    making.depth--
    making.terms.push(`${a}.id${down ? ' desc' : ''}`)
    return
  }
  const [owner, of] = field ? [name, field] : (ownerOf(m, name) ?? [])
  const columns: Record<string, Column> = of?.columns(owner!) ?? {}
  const nullable = (columns[name] ?? Object.values(columns)[0])?.null ?? false
  const direction = down ? ' desc' : ''
  const plain = field?.compare
    ? field.compare(t, name, comparing(m, { alias: making.alias, uses: (table) => making.uses.add(table) }))
    : `${t}.${q(name)}`
  const first = [`${name}_sort`, `${name}_host`].find((each) => each in columns) ?? name
  const expression = `${t}.${q(first)}`
  if (
    making.terms.length === 0 &&
    !outer &&
    columns[first] &&
    !columns[first].null &&
    (first !== name || expression === plain)
  )
    making.lead = { expression, isDown: down }
  if (`${name}_sort` in columns) making.terms.push(`${t}.${q(`${name}_sort`)}${direction}`)
  if (`${name}_host` in columns)
    making.terms.push(`${t}.${q(`${name}_host`)}${direction}`, `${t}.${q(`${name}_mask`)}${direction}`)
  else
    making.terms.push(
      `${plain}${direction}${nullable && !(`${name}_sort` in columns) ? (down ? ' nulls first' : ' nulls last') : ''}`,
    )
}
