import type { Field } from '../fields/field.ts'
import { type NestedOf, type OptionFacts, plainLabel, type TypesOf } from '../fields/facts.ts'
import { fieldsOf, memo, modelNamed, namesOf } from '../engine/catalog.ts'
import { memberNames, nestedMembers } from '../engine/select.ts'
import { type AnyModel, appLabel } from '../declare/model.ts'
import { may } from '../engine/actor.ts'
import type { Call } from './request.ts'

const titled = (text: string): string => text.replace(/(?<!\S)[a-z]/g, (c) => c.toUpperCase())
const member = (type: string, name: string, label = plainLabel(name)): Record<string, OptionFacts> => ({
  [name]: { type, required: false, read_only: true, label },
})
/** Members that no model declares. */
const head = {
  ...member('integer', 'id', 'ID'),
  ...member('field', 'url'),
  ...member('field', 'display_url'),
  ...member('field', 'display'),
}

/** Facts of every member that the fields of a model bring, nested objects not yet filled in. */
const described = memo((m: AnyModel): Record<string, OptionFacts> => {
  const all: Record<string, OptionFacts> = { ...head }
  for (const [name, field] of fieldsOf(m)) if (!field.options.hidden) Object.assign(all, field.describe(name))
  return Object.fromEntries([...(m.leading ?? []), ...Object.keys(all)].map((name) => [name, all[name]!]))
})

/** Facts of every member of a model's answer, in its order. */
const factsOf = memo((m: AnyModel): Record<string, OptionFacts> => {
  const shown = new Set(memberNames(m))
  const isSaid = (name: string) => shown.has(name) || m.fields[name]?.options.writeOnly
  return Object.fromEntries(
    Object.entries(described(m))
      .filter(([name]) => isSaid(name))
      .map(([name, said]) => [name, expanded(said)]),
  )
})

/** Fills in the members of nested objects, and the content types among the choices. */
function expanded(facts: OptionFacts): OptionFacts {
  const filled = { ...facts }
  if (facts.child) filled.child = expanded(facts.child as OptionFacts)
  if (facts.children && '~nested' in (facts.children as object)) filled.children = members(facts.children as NestedOf)
  if (facts.choices && '~types' in (facts.choices as object)) filled.choices = types(facts.choices as TypesOf)
  return filled
}

function members({ '~nested': name, '~shape': shape }: NestedOf): Record<string, OptionFacts> {
  const target = modelNamed(name)
  const all = described(target)
  return Object.fromEntries(
    nestedMembers(target, shape).map(([key, inner]) => {
      const own = inner && (target.fields[key] as Field).describe(key, inner)
      return [key, expanded(own?.[key] ?? all[key]!)]
    }),
  )
}

const types = ({ '~types': which }: TypesOf): object[] =>
  [...namesOf(which)]
    .map(modelNamed)
    .filter((m) => !m.internal && !m.own)
    .map((m) => ({ value: m.name, display_name: `${appLabel(m.app)} | ${m.label}` }))
    .sort((a, b) => (a.display_name < b.display_name ? -1 : 1))

/**
 * The answer to OPTIONS: what may be written and how, with choices, for those who may write. `mayChange`: the user may
 * change this object.
 */
export function optionsOf(call: Call, m: AnyModel, kind: 'List' | 'Instance', mayChange = true): object {
  const methods = m.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const actions: Record<string, unknown> = {}
  if (call.actor.writes) {
    if (methods.includes('PUT') && mayChange && may(call.actor, 'change', m)) actions.PUT = factsOf(m)
    if (kind === 'List' && methods.includes('POST') && may(call.actor, 'add', m)) actions.POST = factsOf(m)
  }
  return {
    name: `${titled(m.label)} ${kind}`,
    description: `Lists, shows and changes ${m.plural}.`,
    renders: ['application/json', 'text/html'],
    parses: ['application/json', 'multipart/form-data'],
    ...(Object.keys(actions).length ? { actions } : {}),
  }
}
