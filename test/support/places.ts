import type { Field } from '../../src/fields/field.ts'
import { allModels, modelNamed } from '../../src/engine/catalog.ts'
import type { AnyModel } from '../../src/declare/model.ts'
import { type Body, writable } from './maker.ts'
import { type Values, valuesOf } from './values.ts'

/** A reference of a model, by what a client writes: to an object of a model. */
export interface Place {
  m: AnyModel
  to: AnyModel
  body: (id: number) => Body
}

const isWritten = (m: AnyModel): boolean =>
  !m.internal && !m.methods && m.changeLogged !== false && m.app !== 'users' && m.app !== 'core'

/** Every reference of what a kit exchanges. `targets`: the models that a generic one is tried with. */
export const placesWith = (targets: (generic: NonNullable<Field['generic']>) => readonly string[]): Place[] =>
  allModels.filter(isWritten).flatMap((m) =>
    writable(m).flatMap(([name, field]) => {
      const { target, generic } = field
      const models = target ? [target.model] : generic ? targets(generic) : []
      const [type, key] = target || !generic ? [] : (field.keys!(name) as [string, string])
      return models
        .map((to) => modelNamed(to))
        .filter(isWritten)
        .map((to): Place => ({ m, to, body: (id) => (type ? { [type]: to.name, [key!]: id } : { [name]: id }) }))
    }),
  )

/** What a source and its kit both hold: a kit has no secrets, so no webhooks as they are. */
export const valuesOfBoth = (store: Parameters<typeof valuesOf>[0]): Values =>
  new Map([...valuesOf(store)].filter(([key]) => !key.startsWith('extras.webhook:')))
