import { parseExact } from '../lib/exact-json.ts'
import * as v from 'valibot'
import { tagFilters } from '../filters/shared.ts'
import type { Field } from './field.ts'
import { facts, nestedItem, type OptionFacts } from './facts.ts'
import type { ResolveContext, SqlContext } from './context.ts'
import type { Control } from './control.ts'
import { datetime } from './datetime.ts'
import { pythonType } from './refs.ts'
import { text } from './text.ts'
import { ref } from './ref.ts'
import { objectTexts } from './texts.ts'

const TagShape = ['id', 'url', 'display_url', 'display', 'name', 'slug', 'color'] as const

/** SQL of the names of an object's tags, as change records have them: a JSON list. `id`: SQL of its id. */
export const tagNames = (id: string, model: string): string =>
  `select json_group_array(name) from (select t.name from extras_taggeditem i
    join extras_tag t on t.id = i.tag_id where i.object_type = '${model}' and i.object_id = ${id}
    order by t.name)`

/** Tags, kept as tagged objects. Written as a list of ids or attribute objects that replaces the set. */
export function tags(): Field<{ cols: {}; in: readonly (number | object)[]; optional: true }> {
  const self = {
    kind: 'tags',
    options: {},
    required: false,
    readOnly: false,
    columns: () => ({}),
    sharedLinks: {
      model: 'extras.tag',
      table: 'extras_taggeditem',
      type: 'object_type',
      from: 'object_id',
      to: 'tag_id',
    },
    recorded: tagNames,
    refusal: (texts: unknown) => ({ non_field_errors: texts }),
    input: () => v.array(v.unknown(), (issue) => `Expected a list of items but got type "${pythonType(issue.input)}".`),
    ...objectTexts('extras.tag'),
    resolve: (value: unknown, context: ResolveContext) =>
      (value as unknown[]).map((tag) => context.related('extras.tag', tag, { unrestricted: true })),
    output: (t: string, name: string, sql: SqlContext) => {
      const tag = sql.model('extras.tag')
      const [a, l] = [sql.alias(), sql.alias()]
      sql.uses(tag.table)
      sql.uses('extras_taggeditem', { t, column: 'object_id' })
      return [
        [
          name,
          `json((select json_group_array(${sql.object(tag, t, `${a}.id`, TagShape)} order by ${a}.weight, ${a}.name)
            from extras_taggeditem ${l} join extras_tag ${a} on ${a}.id = ${l}.tag_id
            where ${l}.object_type = '${sql.owner.name}' and ${l}.object_id = ${t}.id))`,
        ] as const,
      ]
    },
    flat: (t: string, name: string, sql: SqlContext) => {
      const [a, l] = [sql.alias(), sql.alias()]
      return [
        [
          name,
          `(select json_group_array(${a}.slug order by ${a}.weight, ${a}.name) from extras_taggeditem ${l}
            join extras_tag ${a} on ${a}.id = ${l}.tag_id
            where ${l}.object_type = '${sql.owner.name}' and ${l}.object_id = ${t}.id)`,
        ] as const,
      ]
    },
    filters: () => tagFilters,
    control: (): Control => ({ as: 'pick', model: 'extras.tag', multiple: true }),
    describe: (name: string): Record<string, OptionFacts> =>
      facts('field', name, self, { child: nestedItem({ '~nested': 'extras.tag', '~shape': TagShape }) }),
    schema: (name: string) => ({
      [name]: {
        read: { type: 'array', items: { '~nested': 'extras.tag', '~shape': TagShape } },
        write: { type: 'array', items: { '~reference': 'extras.tag' } },
      },
    }),
  }
  return self
}

/** Values of the fields that users define, one JSON object a row; `store/custom-fields.ts` knows the definitions. */
export function customFields(): Field<{ cols: { '~custom_field_data': string }; in: object; optional: true }> {
  const self = {
    kind: 'custom-fields',
    options: {},
    required: false,
    readOnly: false,
    keyed: true,
    userDefined: 'custom_field_data',
    columns: () => ({ custom_field_data: { type: 'text' as const, default: '{}' } }),
    input: () => v.unknown(),
    output: (t: string, name: string, sql: SqlContext) => [[name, sql.customFields(t)] as const],
    flat: (t: string, name: string) => [[name, `${t}.custom_field_data`] as const],
    snapshot: (row: Record<string, unknown>, name: string) => ({ [name]: parseExact(row.custom_field_data as string) }),
    graphql: { type: 'JSON!', as: 'custom_field_data', input: 'JSONFilter' },
    control: (): Control => ({ as: 'custom' }),
    describe: (name: string): Record<string, OptionFacts> => facts('field', name, self),
    schema: (name: string) => ({
      [name]: {
        read: { type: 'object', additionalProperties: {} },
        write: { type: 'object', additionalProperties: {} },
      },
    }),
  }
  return self as never
}

/** Moments of creation and last change, set by the writer. */
export const stamps = {
  created: datetime({ readOnly: true, nullable: true }),
  last_updated: datetime({ readOnly: true, nullable: true }),
}
/** Who is responsible. */
export const owned = { owner: ref('users.owner', { nullable: true, onDelete: 'protect', compared: false }) }
export const description = text({ blank: true, max: 200 })
export const comments = text({ blank: true, lines: 'markdown', filter: false })
/** Tags, custom fields and stamps, in the order in which answers show them. */
export const primary = { tags: tags(), custom_fields: customFields(), ...stamps }
