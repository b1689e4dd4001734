import { allModels, fieldsOf, modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'

/** What a copy leaves out: what happened at the source, its secrets, and what every server makes for itself. */
const Left = new Set(['core.job', 'core.objectchange', 'core.objecttype', 'extras.script', 'users.token'])
/** What the rest is read with. */
const First = ['users.user', 'extras.customfieldchoiceset', 'extras.customfield', 'extras.tag', 'extras.taggeditem']

/** Models that are copied, each after those that it cannot be without. */
export function selection(only: readonly string[] = []): AnyModel[] {
  const ordered: AnyModel[] = []
  const seen = new Set<AnyModel>()
  const visit = (m: AnyModel) => {
    if (seen.has(m) || m.internal || Left.has(m.name)) return
    seen.add(m)
    for (const [, field] of fieldsOf(m))
      if (field.target && !field.options.nullable) visit(modelNamed(field.target.model))
    ordered.push(m)
  }
  for (const name of First) visit(modelNamed(name))
  for (const m of allModels) visit(m)
  return only.length ? ordered.filter((m) => only.includes(m.name)) : ordered
}
