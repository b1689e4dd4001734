import { colored, linesColored } from '../../rules/choice-sets.ts'
import type { FormData } from '../form-data.ts'
import type { FormField } from '../form-fields.ts'
import type { SpecialForm } from './forms.ts'

type Pairs = [value: string, label: string][]
type Colors = Record<string, string>

const isJson = (data: FormData): boolean => (data.all('extra_choices')[0] ?? '').trimStart().startsWith('[')

/**
 * The extra choices with their colours, one a line; the other field keeps the colours of the choices they are added to.
 */
function inLines(field: FormField): FormField {
  return {
    ...field,
    required: false, // the base has choices too
    texts: (row) => {
      const lines = linesColored((row.extra_choices ?? []) as Pairs, (row.choice_colors ?? {}) as Colors)
      return lines === undefined ? field.texts(row) : [lines]
    },
    read: (data, isNew) => {
      const { extra_choices: given } = field.read(data, isNew) as { extra_choices: Pairs }
      return { extra_choices: isJson(data) || !Array.isArray(given) ? (given ?? []) : colored(given).choices }
    },
  }
}

const otherColors = (field: FormField, lines: FormField): FormField => ({
  ...field,
  readsOthers: true,
  texts: (row) => {
    const pairs = (row.extra_choices ?? []) as Pairs
    const colors = (row.choice_colors ?? {}) as Colors
    if (linesColored(pairs, colors) === undefined) return field.texts(row)
    const own = new Set(pairs.map(([value]) => value))
    const rest = Object.entries(colors).filter(([value]) => !own.has(value))
    return rest.length ? [JSON.stringify(Object.fromEntries(rest), null, 2)] : []
  },
  read: (data, isNew) => {
    const read = field.read(data, isNew) as { choice_colors: Colors | null }
    if (isJson(data)) return read
    const { extra_choices: given } = lines.read(data, isNew) as { extra_choices: Pairs }
    return { choice_colors: { ...read.choice_colors, ...(Array.isArray(given) ? colored(given).colors : {}) } }
  },
})

/** The form of a choice set: `value:label:colour`, one a line. */
export const choiceSetForm: SpecialForm = {
  groups: (_visit, groups) => {
    const lines = groups.flatMap(({ fields }) => fields).find(({ name }) => name === 'extra_choices')
    if (!lines) return [...groups]
    return groups.map((group) => ({
      ...group,
      fields: group.fields.map((field) =>
        field === lines ? inLines(field) : field.name === 'choice_colors' ? otherColors(field, lines) : field,
      ),
    }))
  },
}
