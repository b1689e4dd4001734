import { modelNamed, models, type Relation, stepOf } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'

/**
 * One word of what a model says of its members or filters. `name` adds one, `-name` takes one away; `name=path` is what
 * stands at the end of a path of relations (`tenant.group`), behind a field of another model that refers here
 * (`dcim.cable.tenant`), in a column, or `none`; of a reference to any model `a.b|c.d` are those that the union has.
 * `name:Type` has this type.
 */
export interface Word {
  readonly name: string
  readonly isAway: boolean
  readonly path: string | undefined
  readonly type: string | undefined
}

const Form = /^(-)?(\w+)(?:=([\w.|]+))?(?::(\S+))?$/

/** The words of a text. Throws for one that is none. */
export const wordsOf = (text: string | undefined): Word[] =>
  (text ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const [, away, name, path, type] = Form.exec(word) ?? []
      if (!name) throw new Error(`${word} is no word of a model's members`)
      return { name, isAway: away === '-', path, type }
    })

/** The relations along a path from a model; undefined where a segment is none. */
export function wayOf(m: AnyModel, path: string): Relation[] | undefined {
  const referring = referringField(m, path)
  if (referring) return [referring]
  const way: Relation[] = []
  let at = m
  for (const segment of path.split('.')) {
    const step = relationOf(at, segment)
    if (!step) return undefined
    way.push(step)
    at = step.model
  }
  return way
}

/** Where one segment leads: a relation that paths know, or a reference that is kept for filters alone. */
function relationOf(m: AnyModel, segment: string): Relation | undefined {
  const step = stepOf(m, segment)
  if (step && step.way !== 'column') return step
  const reverse = m.fields[segment]?.reverse
  return reverse && referringField(m, `${reverse.model}.${reverse.by}`)
}

/** The way to the rows of `app.model.field` that refer to a model. */
function referringField(m: AnyModel, path: string): Relation | undefined {
  const [app, name, by, ...more] = path.split('.')
  if (!by || more.length || !Object.hasOwn(models, `${app}.${name}`)) return undefined
  const model = modelNamed(`${app}.${name}`)
  const field = model.fields[by]
  if (field?.links) return { way: 'link', table: `${model.table}_${by}`, from: 'to_id', to: 'from_id', model }
  if (field?.generic) {
    const as = field.generic.as ?? by
    return { way: 'back', column: `${as}_id`, model, type: { column: `${as}_type`, value: m.name } }
  }
  return field?.target ? { way: 'back', column: `${by}_id`, model } : undefined
}
