import * as v from 'valibot'
import type { Text } from './context.ts'
import type { Control } from './control.ts'
import { required } from './graph.ts'
import { choiceFilter } from '../filters/choice.ts'
import {
  type Common,
  type Field,
  isRequired,
  type Member,
  type Nullable,
  type Omittable,
  type Stored,
} from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import { lit, q } from '../lib/sql.ts'
import { lastOf, plainTexts } from './texts.ts'

/** Rows of value and label, in the order shown. */
export type Choices = readonly (readonly [value: string | number, label: string, group?: string])[]
type ValueOf<C extends Choices> = C[number][0]

interface ChoiceOptions<C extends Choices> extends Common {
  default?: ValueOf<C>
  max?: number
  /** Null in the database when there is no value, though null is refused in a body. */
  dbNull?: boolean
  /** Shown as the bare value instead of `{ value, label }`. */
  raw?: boolean
  /** OPTIONS names null among the choices. */
  emptyChoice?: boolean
  /** OpenAPI lists no values: generators of clients would give several the same name (GMT+0, GMT-0). */
  unlisted?: boolean
  /** The query parameter takes one value, the last one. */
  single?: boolean
}

/**
 * What a page says of a choice that is emptied where the column may be null and bodies may not: no JSON says this. That
 * a body is refused is of the API that clients know; people take a value away.
 */
const Emptied = Symbol('no choice')

const literal = (value: string | number): string => (typeof value === 'number' ? String(value) : lit(value))

/** SQL of the label of an expression that holds a value of the set. */
export const labelSql = (choices: Choices, expression: string): string =>
  `case ${expression} ${choices.map(([value, label]) => `when ${literal(value)} then ${lit(label)}`).join(' ')}
    else ${expression} end`

/** SQL of `{ value, label }` for an expression that holds a value of the set. */
export const choiceJson = (choices: Choices, expression: string): string => {
  const labels = choices.map(([value, label]) => `when ${literal(value)} then ${lit(label)}`).join(' ')
  return `case when ${expression} is null or ${expression} = '' then null
    else json_object('value', ${expression}, 'label', case ${expression} ${labels} else ${expression} end) end`
}

/** One of a fixed set; stored as its value, shown as `{ value, label }`. */
export function choice<const C extends Choices, const O extends ChoiceOptions<C> = {}>(
  choices: C,
  options?: O,
): Field<{
  cols: { '': Nullable<O, ValueOf<C>> | (O extends { dbNull: true } ? null : never) }
  in: Nullable<O, ValueOf<C>>
  optional: Omittable<O>
}> {
  const o: ChoiceOptions<Choices> = options ?? {}
  const byText = new Map(choices.map(([value]) => [String(value), value]))
  const numeric = typeof choices[0]?.[0] === 'number'
  const mayBeNull = Boolean(o.nullable || o.dbNull)
  const listed = o.readOnly
    ? {}
    : {
        choices: [
          ...(o.emptyChoice ? [{ value: null, display_name: '---------' }] : []),
          ...choices.map(([value, display_name]) => ({ value, display_name })),
        ],
      }
  const find = (raw: unknown): string | number | undefined =>
    typeof raw === 'string' || typeof raw === 'number'
      ? byText.get(String(raw))
      : typeof raw === 'boolean'
        ? byText.get(raw ? 'true' : 'false')
        : undefined
  const texts = plainTexts(o)
  const isEmptied = (x: unknown): boolean => x === Emptied && mayBeNull
  const bare = (shown: unknown): unknown =>
    typeof shown === 'object' && shown !== null ? (shown as { value?: unknown }).value : shown
  const self = {
    kind: 'choice',
    ...texts,
    ...(o.dbNull && !o.blank && !o.nullable ? { fromText: (text: Text) => lastOf(text) || Emptied } : {}),
    toText: (shown: unknown) => texts.toText(bare(shown)),
    fromShown: (shown: unknown) => bare(shown) ?? (o.nullable ? null : undefined),
    judgesNull: true,
    ...(o.blank && !o.nullable ? { unsaid: '' } : {}),
    options: o,
    required: isRequired(o),
    readOnly: o.readOnly ?? false,
    columns: (name: string) => ({
      [name]: {
        type: numeric ? ('integer' as const) : ('text' as const),
        null: mayBeNull,
        ...(mayBeNull ? {} : { default: o.default ?? '' }),
        ...(o.index ? { index: true } : {}),
      },
    }),
    write: (value: unknown, name: string) => ({ [name]: value as Stored }),
    output: (t: string, name: string) => {
      const c = `${t}.${q(name)}`
      return [[name, o.raw ? (o.nullable ? `nullif(${c}, '')` : c) : choiceJson(choices, c)] as const]
    },
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    flat: (t: string, name: string) => [[name, `nullif(${t}.${q(name)}, '')`] as const],
    parse: (raw: unknown) => (raw === null ? null : (raw as Stored)),
    filters: (name: string) => ({
      [name]: choiceFilter(name, choices, { single: o.single ?? false, nullable: mayBeNull }),
    }),
    graphql: {
      type: `${numeric ? 'Int' : 'String'}${required(mayBeNull)}`,
      ...(mayBeNull ? { sql: (t: string, name: string) => `nullif(${t}.${q(name)}, '')`, isCompared: true } : {}),
      input: { among: choices },
    },
    control: (): Control => ({ as: 'choice', choices }),
    ...(o.raw ? { labels: new Map<unknown, string>(choices.map(([value, label]) => [value, label])) } : {}),
    describe: (name: string): Record<string, OptionFacts> => facts(o.raw ? 'choice' : 'field', name, self, listed),
    schema: (name: string) => ({ [name]: schemaOf(choices, o) }),
    input: () => {
      const one = v.pipe(
        v.custom(
          (x) => find(x) !== undefined || ((x === '' || x === null) && Boolean(o.blank)) || isEmptied(x),
          (issue) => {
            const shown = typeof issue.input === 'object' ? JSON.stringify(issue.input) : String(issue.input)
            return o.raw ? `"${shown}" is not a valid choice.` : `${shown} is not a valid choice.`
          },
        ),
        v.transform((x) => find(x) ?? (o.nullable || isEmptied(x) ? null : '')),
      )
      return o.nullable ? v.nullable(one) : one
    },
  }
  return self as never
}

/** JSON schema of a choice: as it is shown, and as it is written. */
function schemaOf(choices: Choices, o: ChoiceOptions<Choices>): Member {
  const isNumber = typeof choices[0]?.[0] === 'number'
  const type = isNumber ? 'integer' : 'string'
  const values = choices.map(([value]) => value)
  const one = { type, ...(o.unlisted ? {} : { enum: values }) }
  const label = { type: 'string', enum: [...new Set(choices.map(([, text]) => text))] }
  const takesNull = Boolean(o.nullable || o.blank) // a blank one is read as null, and taken so
  const mayLack = takesNull || o.dbNull || (!isRequired(o) && o.default === undefined)
  const blank = o.blank && !isNumber ? [''] : []
  const orNull = (type: string, isNullable: unknown) => ({ type: isNullable ? [type, 'null'] : type })
  const among = (...more: unknown[]) => (o.unlisted ? {} : { enum: [...values, ...more] })
  return {
    read: o.raw
      ? { ...orNull(type, mayLack), ...among(...(mayLack ? [...blank, null] : [])) }
      : { ...orNull('object', mayLack), properties: { value: one, label } },
    write: { ...orNull(type, takesNull), ...among(...(takesNull ? [...blank, null] : [])) },
  }
}
