import { type AnyModel, fieldOfPart } from '../declare/model.ts'
import { fieldsOf, memo } from './catalog.ts'

/** A field by which people and other databases name a row; an extra one counts only where the others name several. */
interface KeyPart {
  name: string
  extra: boolean
}

const Best = ['slug', 'name', 'username']

/**
 * Fields that together name a row of a model in any database, from its unique rules unless it says so itself; none for
 * models without.
 */
export const keyOf = memo((m: AnyModel): readonly KeyPart[] => {
  if (m.key) return m.key.map((name) => ({ name: name.replace(/\?$/, ''), extra: name.endsWith('?') }))
  const rules = [
    ...fieldsOf(m)
      .filter(([, field]) => field.options.unique && !field.options.nullable && !field.options.hidden)
      .map(([name]) => [name]),
    ...(m.unique ?? []).map(({ fields }) => fields.map(fieldOfPart)),
  ].filter((names) => names.every((name) => isPlain(m, name)))
  const best =
    Best.map((name) => rules.find((names) => names.includes(name))).find((names) => names !== undefined) ?? rules[0]
  if (!best) return []
  const isExtra = (name: string) => Boolean(m.fields[name].target && m.fields[name].options.nullable)
  const parts = best.map((name) => ({ name, extra: isExtra(name) }))
  return [...parts.filter(({ extra }) => !extra), ...parts.filter(({ extra }) => extra)]
})

const isPlain = (m: AnyModel, name: string): boolean => {
  const field = m.fields[name]
  return field !== undefined && !field.options.secret && (Boolean(field.target) || name in field.columns(name))
}
