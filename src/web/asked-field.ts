import type { FormField } from './form-fields.ts'

/** A field of a form that is no member of its objects: it holds and says nothing but what it is given to. */
export const askedField = (own: Pick<FormField, 'name' | 'label' | 'control'> & Partial<FormField>): FormField => ({
  help: undefined,
  required: false,
  texts: () => [],
  read: () => ({}),
  ...own,
})
