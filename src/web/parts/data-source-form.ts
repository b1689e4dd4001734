import { SecretParameters, SourceParameters } from '../../rules/source-parameters.ts'
import { askedField } from '../asked-field.ts'
import type { FormData } from '../form-data.ts'
import type { FormField } from '../form-fields.ts'
import type { Row } from '../table.ts'
import type { SpecialForm } from './forms.ts'

const Help: Readonly<Record<string, string>> = {
  branch: 'Of which the files are taken; the one that the repository names, where none is given.',
  username: 'Where the repository asks for one.',
  aws_access_key_id: 'None for a bucket that is open to everybody.',
}
type Parameters = Record<string, unknown>

const given = (row: Row | undefined): Parameters => {
  const parameters = row?.parameters
  return typeof parameters === 'object' && !Array.isArray(parameters) ? ((parameters ?? {}) as Parameters) : {}
}

function asked(type: string, name: string, label: string): FormField {
  const isSecret = SecretParameters.has(name)
  return askedField({
    name,
    label,
    help: isSecret ? 'Left empty, it stays as it is.' : Help[name],
    control: { as: 'line', type: isSecret ? 'password' : 'text' },
    when: `type=${type}`,
    texts: (row) => (isSecret || given(row)[name] === undefined ? [] : [String(given(row)[name] ?? '')]),
  })
}

/** What a form says of the parameters of its type, if anything; what it does not ask for stays where the type does. */
function parametersIn(data: FormData, row: Row | undefined): { parameters?: Parameters | null } {
  const type = data.all('type').at(-1) ?? ''
  const isSame = (row?.type as { value?: string } | null | undefined)?.value === type
  const kept = isSame ? { ...given(row) } : {}
  for (const name of Object.keys(SourceParameters[type] ?? {})) {
    const text = data.all(name).at(-1) ?? ''
    if (text !== '') kept[name] = text
    else if (!SecretParameters.has(name) || data.all(`${name}__clear`).includes('true')) delete kept[name]
  }
  if (isSame && JSON.stringify(kept) === JSON.stringify(given(row))) return {}
  return { parameters: Object.keys(kept).length > 0 ? kept : null }
}

/** The form of a data source asks, below its URL, for what its type needs to read it. */
export const dataSourceForm: SpecialForm = {
  groups: (_visit, groups) => {
    const fields = Object.entries(SourceParameters).flatMap(([type, parameters]) =>
      Object.entries(parameters).map(([name, label]) => asked(type, name, label)),
    )
    const [first, ...others] = fields as [FormField, ...FormField[]]
    const whole: FormField = {
      ...first,
      keys: ['parameters'],
      readsOthers: true,
      read: (data, _isNew, row) => parametersIn(data, row),
    }
    return groups.map((group) => {
      const at = group.fields.findIndex(({ name }) => name === 'source_url') + 1
      return at === 0 ? group : { ...group, fields: group.fields.toSpliced(at, 0, whole, ...others) }
    })
  },
}
