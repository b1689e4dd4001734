import type { AnyModel } from '../declare/model.ts'
import { stamps, tags } from '../fields/common.ts'
import { computed } from '../fields/computed.ts'
import type { Field } from '../fields/field.ts'
import type { SqlContext } from '../fields/context.ts'
import { fieldsOf, memo } from './catalog.ts'

/** The contacts of an object, in the order of a list of contacts. */
function contactsOf(t: string, sql: SqlContext): string {
  const contact = sql.model('tenancy.contact')
  const [a, x] = [sql.alias(), sql.alias()]
  sql.uses(contact.table)
  sql.uses('tenancy_contactassignment')
  const { joins, terms } = sql.ordered(contact, a)
  return `json((select json_group_array(${sql.nested(contact, a, ['id', 'url', 'display'])} order by ${terms})
    from tenancy_contactassignment ${x} join tenancy_contact ${a} on ${a}.id = ${x}.contact_id ${joins}
    where ${x}.object_type = '${sql.owner.name}' and ${x}.object_id = ${t}.id))`
}
const contacts = computed(contactsOf, { label: 'Contacts' })

/** Fields that pages show and the API does not. */
export const pagesOnly = memo((m: AnyModel): readonly (readonly [name: string, field: Field])[] =>
  fieldsOf(m).filter(([, { options }]) => options.entered && options.hidden),
)
/** Whether a body of the API may set a field. */
export const isInApi = (field: Field): boolean => !field.readOnly && !field.options.hidden
/** Fields that people may enter: what a body of the API may set, what only they do, and tags that no answer shows. */
export const enteredOf = memo((m: AnyModel): readonly (readonly [name: string, field: Field])[] => [
  ...fieldsOf(m).filter(([, field]) => isInApi(field) || field.options.entered),
  ...('tags' in extraOf(m) ? [['tags', extraOf(m).tags!] as const] : []),
])
const unhidden = (field: Field): Field => ({ ...field, options: { ...field.options, hidden: false } })

/** Members that pages of a model may show beside those of the API: what it declares, and what its features bring. */
export const extraOf = memo(
  (m: AnyModel): Readonly<Record<string, Field<any>>> =>
    Object.assign(Object.create(null), {
      ...(m.features?.includes('contacts') && !m.fields.contacts ? { contacts } : {}),
      ...(m.features?.includes('tags') && !m.fields.tags ? { tags: tags() } : {}),
      ...Object.fromEntries(Object.entries(stamps).filter(([name]) => m.fields[name]?.options.hidden)),
      ...Object.fromEntries(pagesOnly(m).map(([name, field]) => [name, unhidden(field)])),
      ...m.pages?.extra,
    }),
)
