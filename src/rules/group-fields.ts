import { description, primary, ref, slug, text } from '../fields/index.ts'
import type { ModelName } from '../models/index.ts'

/** What a model begins with whose rows are a tree of named groups. */
export const groupOf = <const M extends ModelName>(model: M) => ({
  name: text({ max: 100 }),
  slug: slug(),
  parent: ref(model, {
    nullable: true,
    apiDefault: null,
    onDelete: 'cascade',
    related: 'children',
    shape: ['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth'],
  }),
  description,
  ...primary,
})
