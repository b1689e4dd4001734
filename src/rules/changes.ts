import type { Condition } from '../store/selections.ts'

/** Change records (row `t`) of an object, and of what belongs to it: an assignment, a component, a journal entry. */
export const changesAbout = (type: string, id: number): Condition => ({
  where: [
    `((t.changed_object_type = +:about_type and t.changed_object_id = +:about_id)
      or (t.related_object_type = +:about_type and t.related_object_id = +:about_id))`,
  ],
  values: { about_type: type, about_id: id },
  uses: [],
})
