import type { Common, Shape } from './field.ts'

/**
 * What OPTIONS says of a field; `type` is the name clients know. `children` may be a `NestedOf` and
 * `choices` a `TypesOf`, which are filled in where the declarations are known.
 */
export interface OptionFacts {
  type: string
  [fact: string]: unknown
}
/** Stands for the members of a nested object of a model. */
export interface NestedOf {
  '~nested': string
  '~shape'?: Shape | undefined
}
/** Stands for the content types of a feature, or for those named. */
export interface TypesOf {
  '~types': string | readonly string[]
}

/** `custom_fields` → `Custom fields`. */
export const labelOf = (name: string): string => {
  const words = name.replace(/^_/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Label of a member in OPTIONS: only the first letter is a capital, and a leading underscore leaves a blank. */
export const plainLabel = (name: string): string => {
  const words = name.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A nested object as the item of a list in OPTIONS. */
export const nestedItem = (children: NestedOf | Record<string, OptionFacts>, readOnly = false): OptionFacts => ({
  type: 'nested object',
  required: false,
  read_only: readOnly,
  children,
})

/** Facts every OPTIONS entry has. */
export const facts = (
  type: string,
  name: string,
  field: { required: boolean; readOnly: boolean; options: Common },
  more: Record<string, unknown> = {},
): Record<string, OptionFacts> => ({
  [name]: {
    type,
    required: field.required,
    read_only: field.readOnly,
    label: field.options.label ?? plainLabel(name),
    ...(field.options.help ? { help_text: field.options.help } : {}),
    ...more,
  },
})
