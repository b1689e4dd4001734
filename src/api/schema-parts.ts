import { allModels } from '../registry/catalog.ts'
import type { AnyModel } from '../registry/model.ts'

export type Json = Record<string, unknown>

/** Name of a model's component. */
export const nameOf = (m: AnyModel): string =>
  m.objectName.replace(/\W/g, '') + (clashes.has(m.objectName) ? m.app.charAt(0).toUpperCase() + m.app.slice(1) : '')
const clashes = new Set(allModels.map((m) => m.objectName).filter((name, i, all) => all.indexOf(name) !== i))
export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Pieces of operations that several paths share. */
export const answer = (schema: Json | undefined, description = 'The answer.'): Json => ({
  description,
  ...(schema ? { content: { 'application/json': { schema } } } : {}),
})
export const body = (schema: Json): Json => ({
  required: true,
  content: { 'application/json': { schema }, 'multipart/form-data': { schema } },
})
export const failures = Object.fromEntries(
  ['400', '403', '404', '405', '406', '409', '412', '413', '415'].map((status) => [
    status,
    { description: 'Refused; the body says why.', content: { 'application/json': { schema: {} } } },
  ]),
)
export const query = (name: string, schema: Json, many = false): Json => ({
  in: 'query',
  name,
  schema: many ? { type: 'array', items: schema } : schema,
  ...(many ? { explode: true, style: 'form' } : {}),
})
