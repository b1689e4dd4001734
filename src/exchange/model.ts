import type { Field } from '../fields/field.ts'
import { allModels } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'

/** The model that `dcim.site` or `dcim/sites` names. Throws when there is none that has rows of its own to read. */
export function modelOf(text: string): AnyModel {
  const found = allModels.find(
    (m) => !m.internal && (m.name === text.toLowerCase() || m.path === text.replace(/^\/?(api\/)?|\/$/g, '')),
  )
  if (!found) throw new Error(`${text} is not the name of a model, as dcim.site: cabinet models lists them`)
  return found
}

/** A field that a body may set, and a text can say. */
export const isText = (field: Field): boolean => Boolean(field.fromText) && !field.readOnly && !field.options.hidden
