import type { FormData } from '../form-data.ts'
import type { FormField } from '../form-fields.ts'
import type { Row } from '../table.ts'
import type { SpecialForm } from './forms.ts'

/** Parameters of data sources by their type; `*` stands before one that pages never show. */
const Asked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  git: { branch: 'Branch', username: 'Username', '*password': 'Password' },
  'amazon-s3': { aws_access_key_id: 'AWS access key ID', '*aws_secret_access_key': 'AWS secret access key' },
}
const Help: Readonly<Record<string, string>> = {
  branch: 'Of which the files are taken; the one that the repository names, where none is given.',
  username: 'Where the repository asks for one.',
  aws_access_key_id: 'None for a bucket that is open to everybody.',
}
type Parameters = Record<string, unknown>

const secretName = (key: string): string | undefined => (key.startsWith('*') ? key.slice(1) : undefined)
const given = (row: Row | undefined): Parameters => {
  const parameters = row?.parameters
  return typeof parameters === 'object' && !Array.isArray(parameters) ? ((parameters ?? {}) as Parameters) : {}
}

function asked(type: string, key: string, label: string): FormField {
  const secret = secretName(key)
  const name = secret ?? key
  return {
    name,
    label,
    help: secret ? 'Left empty, it stays as it is.' : Help[name],
    required: false,
    control: { as: 'line', type: secret ? 'password' : 'text' },
    when: `type=${type}`,
    texts: (row) => (secret || given(row)[name] === undefined ? [] : [String(given(row)[name] ?? '')]),
    read: () => ({}),
  }
}

/** What a form says of the parameters of its type, if anything; what it does not ask for stays where the type does. */
function parametersIn(data: FormData, row: Row | undefined): { parameters?: Parameters | null } {
  const type = data.all('type').at(-1) ?? ''
  const isSame = (row?.type as { value?: string } | null | undefined)?.value === type
  const kept = isSame ? { ...given(row) } : {}
  for (const key of Object.keys(Asked[type] ?? {})) {
    const secret = secretName(key)
    const text = data.all(secret ?? key).at(-1) ?? ''
    if (text !== '') kept[secret ?? key] = text
    else if (!secret || data.all(`${secret}__clear`).includes('true')) delete kept[secret ?? key]
  }
  if (isSame && JSON.stringify(kept) === JSON.stringify(given(row))) return {}
  return { parameters: Object.keys(kept).length > 0 ? kept : null }
}

/** The form of a data source asks, below its URL, for what its type needs to read it. */
export const dataSourceForm: SpecialForm = {
  groups: (_visit, groups) => {
    const fields = Object.entries(Asked).flatMap(([type, parameters]) =>
      Object.entries(parameters).map(([key, label]) => asked(type, key, label)),
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
