import * as v from 'valibot'
import type { Control } from './control.ts'
import { relatedFilter } from '../filters/related.ts'
import type { ModelName } from '../models/index.ts'
import {
  type Common,
  type Field,
  isRequired,
  type Nullable,
  type Omittable,
  type OnDelete,
  type Points,
  type Pair,
  type Shape,
} from './field.ts'
import type { FlatContext, ResolveContext, SqlContext, Text, TextContext } from './context.ts'
import { facts, type OptionFacts } from './facts.ts'
import { q } from '../lib/sql.ts'
import { idOf, lastOf, wordOf } from './texts.ts'

interface RefOptions extends Common {
  onDelete?: OnDelete
  /** Name of the reverse relation in filter paths; `false` for none. Default: the model's name in lower case. */
  related?: string | false
  /** Members of the nested object where they are not the target's nested form. */
  shape?: Shape
  /** False: filters of GraphQL do not look at it. */
  compared?: false
  /** Fields of the model that mean nothing without the reference, and are emptied with it. */
  beside?: readonly string[]
  /** Fields whose values are those of what it refers to, while there is any. */
  gives?: readonly string[]
  /** It is the row that refers to this one by `by` and holds these values: nobody decides on it. */
  points?: Points
  /** Shown and written as the bare id. */
  raw?: boolean
}

/** A foreign key, named by model name so that models may refer to each other in any order. */
export function ref<const N extends ModelName, const O extends RefOptions = {}>(
  model: N,
  options?: O,
): Field<{ cols: { _id: Nullable<O, number> }; in: Nullable<O, number | object>; optional: Omittable<O> }> {
  const o: RefOptions = options ?? {}
  const onDelete = o.onDelete ?? 'protect'
  const nullable = o.nullable ?? onDelete === 'set null'
  const self = {
    kind: 'ref',
    options: { ...o, nullable },
    required: isRequired({ ...o, nullable }),
    readOnly: o.readOnly ?? false,
    ...(o.compared === false ? { uncompared: true as const } : {}),
    target: {
      model,
      onDelete,
      related: o.related === false ? undefined : (o.related ?? '*'),
      unique: o.unique,
      beside: o.beside,
      gives: o.gives,
      points: o.points,
    },
    columns: (name: string) => ({ [`${name}_id`]: { type: 'integer' as const, null: nullable, references: model } }),
    input: () =>
      nullable
        ? v.nullable(v.unknown())
        : v.pipe(
            v.unknown(),
            v.check((x) => x !== null, 'This field may not be null.'),
          ),
    resolve: (value: unknown, context: ResolveContext) => (value === null ? null : context.related(model, value)),
    write: (value: unknown, name: string) => ({ [`${name}_id`]: value as number | null }),
    fromText: (text: Text, context: TextContext) => {
      const named = lastOf(text).trim()
      return named === '' ? null : context.refer(model, named)
    },
    toText: (shown: unknown, context: TextContext) =>
      idOf(shown) === undefined ? '' : wordOf(context.name(model, shown)),
    output: (t: string, name: string, sql: SqlContext) => {
      if (o.raw) return [[name, `${t}.${q(`${name}_id`)}`] as const]
      return [[name, sql.object(sql.model(model), t, `${t}.${q(`${name}_id`)}`, sql.forced ?? o.shape)] as const]
    },
    flat: (t: string, name: string, sql: FlatContext): Pair[] => {
      const id = `${t}.${q(`${name}_id`)}`
      const display = sql.display(sql.model(model), id)
      return [[`${name}_id`, id], ...(display ? [[name, display] as const] : [])]
    },
    shownColumn: (name: string) => `${name}_id`,
    compare: (t: string, name: string) => `${t}.${q(`${name}_id`)}`,
    parse: (raw: unknown) => (raw === null ? null : Number.isSafeInteger(Number(raw)) ? Number(raw) : undefined),
    filters: (name: string) => ({ [`${name}_id`]: relatedFilter(name, model) }),
    control: (): Control => ({ as: 'pick', model }),
    describe: (name: string, shape?: Shape): Record<string, OptionFacts> =>
      o.raw
        ? facts('field', name, self)
        : facts('nested object', name, self, { children: { '~nested': model, '~shape': shape ?? o.shape } }),
    schema: (name: string, shape?: Shape) => ({
      [name]: o.raw
        ? { read: { type: 'integer', nullable }, write: { type: 'integer', nullable } }
        : {
            read: { '~nested': model, '~shape': shape ?? o.shape, nullable },
            write: { '~reference': model, nullable },
          },
    }),
  }
  return self
}
