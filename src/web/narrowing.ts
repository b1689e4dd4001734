import { modelNamed } from '../engine/catalog.ts'
import { filtersOf } from '../engine/filters.ts'
import type { AnyModel } from '../declare/model.ts'
import { targetsOf, wholeOf } from './controls.ts'
import type { FormField, FormGroup } from './form-fields.ts'
import { labelFor } from './words.ts'

/**
 * Filters of what a picker offers, by the parameter: `=text`, `$id` for the id of the object itself, or the name of
 * another control of the form. That of an object of any kind has `:kind` with it, that of what such objects are part of
 * `:parameter`; they count for no others, so that several stand with `|` between. Where none says anything, all that
 * stands beside it is left out.
 */
export type Narrow = Readonly<Record<string, string | readonly string[]>>

/**
 * Groups whose pickers are narrowed by the other fields that there are, and by pickers of their own for what there is
 * not.
 */
export function narrowed(m: AnyModel, groups: readonly FormGroup[]): FormGroup[] {
  const names = new Set(groups.flatMap(({ fields }) => fields.map(({ name }) => name)))
  return groups.map((group) => ({ ...group, fields: group.fields.map((field) => narrowedField(m, field, names)) }))
}

function narrowedField(m: AnyModel, field: FormField, names: ReadonlySet<string>): FormField {
  const { control, name } = field
  const target = control.as === 'pick' ? modelNamed(control.model) : undefined
  const narrow: Record<string, string | readonly string[]> = {
    ...field.narrow,
    ...(control.as === 'object' ? sharedWith(targetsOf(control.models), names) : {}),
  }
  const narrowers: { name: string; label: string; model: string }[] = []
  const offers = new URLSearchParams(target && m.pages?.offers?.[name])
  const said = new Set<string>()
  for (const parameter of new Set(offers.keys())) {
    const values = offers.getAll(parameter)
    const controls = values.map((value) => controlFor(m, value, names))
    if (!controls.every((each) => each !== undefined)) continue
    narrow[parameter] = controls.length === 1 ? controls[0]! : controls
    for (const value of values) if (value.startsWith('$')) said.add(value.slice(1))
  }
  for (const [parameter, other] of Object.entries(target?.pages?.narrow ?? {})) {
    if (said.has(other)) continue
    const by = filtersOf(target!).get(parameter)?.control
    if (names.has(other) && other !== name) narrow[parameter] = other
    else if (by?.as === 'pick' && other !== name) {
      const own = `_in_${name}_${other}`
      narrow[parameter] = own
      narrowers.push({ name: own, label: labelFor(other), model: by.model })
    }
  }
  return { ...field, ...(Object.keys(narrow).length ? { narrow } : {}), narrowers }
}

/**
 * What narrows objects of every one of several kinds alike, of what the form asks for: the device of all components.
 */
function sharedWith(targets: readonly AnyModel[], names: ReadonlySet<string>): Record<string, string> {
  const isShared = ([parameter, other]: [string, string]) =>
    names.has(other) && targets.every((each) => each.pages?.narrow?.[parameter] === other)
  return Object.fromEntries(Object.entries(targets[0]?.pages?.narrow ?? {}).filter(isShared))
}

/**
 * The control of the form that has a value of `pages.offers`; undefined where there is none. Of a reference to objects
 * of any kind that is the object, or what it is a part of, where that is of the model which is named.
 */
function controlFor(m: AnyModel, value: string, names: ReadonlySet<string>): string | undefined {
  if (value === '$id') return value
  if (!value.startsWith('$')) return `=${value}`
  const [name, model] = value.slice(1).split(':') as [string, string | undefined]
  if (!names.has(name)) return undefined
  const control = m.fields[name]?.control?.(name)
  if (control?.as !== 'object') return name
  const targets = targetsOf(control.models)
  const own = targets.filter((each) => each.name === model).map(() => `${name}_id:${model}`)
  const wholes = targets.map(wholeOf).filter((whole) => whole?.model.name === model)
  const within = wholes.slice(0, 1).map((whole) => `_within_${name}:${whole!.name}_id`)
  return [...own, ...within].join('|') || undefined
}
