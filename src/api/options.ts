import type { Field, OptionFacts } from '../fields/field.ts'
import { fieldsOf, memo, modelNamed } from '../registry/catalog.ts'
import { memberNames } from '../registry/select.ts'
import type { AnyModel } from '../registry/model.ts'
import { may } from '../registry/actor.ts'
import type { Call } from './request.ts'

const titled = (text: string): string => text.replace(/\b[a-z]/g, (c) => c.toUpperCase())
const head = (name: string, label: string, type = 'field'): Record<string, OptionFacts> => ({
  [name]: { type, required: false, read_only: true, label },
})

/** Facts of every member of a model's answer, in its order (GLOBAL 11). */
const factsOf = memo((m: AnyModel): Record<string, OptionFacts> => {
  const all: Record<string, OptionFacts> = {
    ...head('id', 'ID'),
    ...head('url', 'URL'),
    ...head('display_url', 'Display URL'),
    ...head('display', 'Display'),
  }
  for (const [name, field] of fieldsOf(m)) if (!field.options.hidden) Object.assign(all, field.describe(name))
  const shown = new Set(memberNames(m))
  const isSaid = (name: string) => shown.has(name) || m.fields[name]?.options.writeOnly
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => isSaid(name))
      .map(([name, said]) => [name, expanded(said, 0)]),
  )
})

/** Fills in the members of nested objects. */
function expanded(facts: OptionFacts, depth: number): OptionFacts {
  const children = facts.children as { '~nested'?: string } | undefined
  if (!children?.['~nested']) return facts
  if (depth > 1) return { ...facts, children: {} }
  const target = modelNamed(children['~nested'])
  const all: Record<string, OptionFacts> = {
    ...head('id', 'ID'),
    ...head('url', 'URL'),
    ...head('display_url', 'Display URL'),
    ...head('display', 'Display'),
  }
  for (const name of target.brief) {
    const field = target.fields[name] as Field | undefined
    if (field) Object.assign(all, field.describe(name))
  }
  return {
    ...facts,
    children: Object.fromEntries(
      target.brief.filter((name) => all[name]).map((name) => [name, expanded(all[name]!, depth + 1)]),
    ),
  }
}

/** The answer to OPTIONS: what may be written and how, with choices, for those who may write. `mayChange`: the user may change this object. */
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
