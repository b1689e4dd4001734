import { models as declared } from '../models/index.ts'
import type { Field, Generic } from '../fields/field.ts'
import { linkOf } from '../fields/refs.ts'
import type { AnyModel } from '../declare/model.ts'
import { addTo } from '../lib/lists.ts'

/** Every declared model by name; what a client names `constructor` is none, as nothing is inherited. */
export const models: Readonly<Record<string, AnyModel>> = Object.assign(Object.create(null), declared)
export const allModels: readonly AnyModel[] = Object.values(models)

/** The model of a name; throws for a name that no declaration has. */
export function modelNamed(name: string): AnyModel {
  const found = models[name]
  if (!found) throw new Error(`no model ${name}`)
  return found
}

const byFeature = new Map<string, ReadonlySet<string>>()
/**
 * Names of the models with a feature; `all` for every one, `kept` for those that are the same at a source and its field
 * kits, so that what they have may refer to them: with a past (not jobs and kits) and made by clients themselves (not
 * tagged items, which are made anew with the list of an object's tags).
 */
export function typesWith(feature: string): ReadonlySet<string> {
  const known = byFeature.get(feature)
  if (known) return known
  const has = (m: AnyModel) =>
    feature === 'all' || (feature === 'kept' ? m.past !== false && !m.methods : m.features?.includes(feature))
  const found = new Set(allModels.filter(has).map((m) => m.name))
  byFeature.set(feature, found)
  return found
}

/** A model's fields by name, in the order of the declaration. */
export const fieldsOf: (m: AnyModel) => readonly [string, Field][] = memo((m) =>
  Object.entries(m.fields as Record<string, Field>),
)

/** The column by which lists of a model are often sorted that has an index with all its rows, be they null. */
export const changeColumn = (m: AnyModel): string | undefined =>
  m.large && m.fields.last_updated ? 'last_updated' : undefined

/** The models named, or those with a feature (`feature:tags`). */
export const namesOf = (which: string | readonly string[]): ReadonlySet<string> =>
  typeof which === 'string' ? typesWith(which.replace('feature:', '')) : new Set(which)
/** Names of the models that a generic reference may point at. */
export const genericTargets = (generic: Generic): ReadonlySet<string> => namesOf(generic.models)
/** Column prefix of a generic field. */
export const genericPrefix = (field: Field, name: string): string => field.generic!.as ?? name

/** A reference from one model's field to another model. */
interface Reference {
  from: AnyModel
  name: string
  field: Field
}

/** How one segment of a relation path leads on from a model. */
export type Step =
  | { way: 'column'; name: string; field: Field }
  | { way: 'to'; column: string; model: AnyModel; type?: { column: string; value: string } }
  | { way: 'link'; table: string; from: string; to: string; model: AnyModel; type?: { column: string; value: string } }
  | { way: 'back'; column: string; model: AnyModel; type?: { column: string; value: string } }

/** A segment that leads to other rows. */
export type Relation = Exclude<Step, { way: 'column' }>

const steps = new Map<AnyModel, Map<string, Step>>()

/** Where a segment (a field, or the name of a reverse relation) leads from a model. */
export function stepOf(m: AnyModel, segment: string): Step | undefined {
  if (steps.size === 0) for (const each of allModels) steps.set(each, ownSteps(each))
  if (!backDone) addBackSteps()
  return steps.get(m)!.get(segment)
}

let backDone = false

function ownSteps(m: AnyModel): Map<string, Step> {
  const own = new Map<string, Step>()
  for (const [name, field] of fieldsOf(m)) {
    if (field.options.secret) continue
    if (field.target) {
      own.set(name, { way: 'to', column: `${name}_id`, model: modelNamed(field.target.model) })
    } else if (field.links) {
      own.set(name, { way: 'link', ...linkOf(m, name, field.links.via), model: modelNamed(field.links.model) })
    } else if (field.generic) {
      const as = genericPrefix(field, name)
      for (const target of genericTargets(field.generic)) {
        const short = target.split('.')[1]!
        if (!own.has(short) && !m.fields[short])
          own.set(short, {
            way: 'to',
            column: `${as}_id`,
            model: modelNamed(target),
            type: { column: `${as}_type`, value: target },
          })
      }
      own.set(name, {
        way: 'column',
        name: `${as}_type`,
        field: { ...field, compare: (t) => `${t}."${as}_type"`, parse: (x) => x as string },
      })
      own.set(`${as}_type`, {
        way: 'column',
        name: `${as}_type`,
        field: { ...field, compare: (t) => `${t}."${as}_type"`, parse: (x) => x as string },
      })
      own.set(`${as}_id`, {
        way: 'column',
        name: `${as}_id`,
        field: {
          ...field,
          compare: (t) => `${t}."${as}_id"`,
          parse: (x) => (Number.isSafeInteger(Number(x)) ? Number(x) : undefined),
        },
      })
    } else if (field.sharedLinks) {
      const { model, type, ...link } = field.sharedLinks
      own.set(name, { way: 'link', ...link, model: modelNamed(model), type: { column: type, value: m.name } })
    } else if (field.userDefined) {
      own.set(field.userDefined, { way: 'column', name: field.userDefined, field })
    } else if (field.compare || name in field.columns(name)) {
      own.set(name, { way: 'column', name, field })
    }
  }
  return own
}

function addBackSteps(): void {
  backDone = true
  for (const m of allModels) {
    for (const [name, field] of fieldsOf(m)) {
      const relation = field.target ?? field.links
      const short = m.name.split('.')[1]!
      if (relation?.related) {
        const into = steps.get(modelNamed(relation.model))!
        const as = relation.related === '*' ? short : relation.related
        if (into.has(as)) continue
        into.set(
          as,
          field.target
            ? { way: 'back', column: `${name}_id`, model: m }
            : { way: 'link', table: `${m.table}_${name}`, from: 'to_id', to: 'from_id', model: m },
        )
      }
      if (field.generic?.related) {
        const as = genericPrefix(field, name)
        for (const target of genericTargets(field.generic)) {
          const into = steps.get(modelNamed(target))!
          if (!into.has(field.generic.related))
            into.set(field.generic.related, {
              way: 'back',
              column: `${as}_id`,
              model: m,
              type: { column: `${as}_type`, value: target },
            })
        }
      }
    }
  }
}

const into = new Map<string, Reference[]>()
/** Every field that refers to a model by a foreign key. */
export function referencesTo(m: AnyModel): readonly Reference[] {
  if (into.size === 0) {
    for (const from of allModels) {
      for (const [name, field] of fieldsOf(from)) {
        if (field.target) addTo(into, field.target.model, { from, name, field })
      }
    }
  }
  return into.get(m.name) ?? []
}
/** Every generic field that may refer to a model. */
export const genericsTo = memo((m: AnyModel): readonly Reference[] =>
  allModels.flatMap((from) =>
    fieldsOf(from)
      .filter(([, f]) => f.generic && genericTargets(f.generic).has(m.name))
      .map(([name, field]) => ({ from, name, field })),
  ),
)
/** Every many-to-many field that links to a model. */
export const linksTo = memo((m: AnyModel): readonly Reference[] =>
  allModels.flatMap((from) =>
    fieldsOf(from)
      .filter(([, f]) => f.links?.model === m.name && !f.links.via)
      .map(([name, field]) => ({ from, name, field })),
  ),
)
/** Every stored counter that counts rows of a model. */
export const countersOf = memo((m: AnyModel): readonly Reference[] =>
  allModels.flatMap((from) =>
    fieldsOf(from)
      .filter(([, f]) => f.counter?.model === m.name)
      .map(([name, field]) => ({ from, name, field })),
  ),
)

/** Every field that sums up rows of a model. */
export const sumsOf = memo((m: AnyModel): readonly Reference[] =>
  allModels.flatMap((from) =>
    fieldsOf(from)
      .filter(([, f]) => f.sum?.model === m.name)
      .map(([name, field]) => ({ from, name, field })),
  ),
)

/** Every reference that is worked out from those of rows of a model. */
export const pointersTo = memo((m: AnyModel): readonly Reference[] =>
  allModels.flatMap((from) =>
    fieldsOf(from)
      .filter(([, f]) => f.target?.points && f.target.model === m.name)
      .map(([name, field]) => ({ from, name, field })),
  ),
)

/** Remembers what a function of a model answers. */
export function memo<T>(make: (m: AnyModel) => T): (m: AnyModel) => T {
  const known = new Map<AnyModel, T>()
  return (m) => {
    const made = known.get(m)
    if (made !== undefined || known.has(m)) return made as T
    const value = make(m)
    known.set(m, value)
    return value
  }
}
