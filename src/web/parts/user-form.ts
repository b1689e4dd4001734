import { html } from 'hono/html'
import { FieldError } from '../../fields/field.ts'
import { demandSuperuser, setSuperuser } from '../../rules/delegation.ts'
import { askedField } from '../asked-field.ts'
import type { FormField } from '../form-fields.ts'
import type { Visit } from '../visit.ts'
import type { SpecialForm } from './forms.ts'

/** Whether the form showed a superuser. */
const Shown = '_superuser_shown'

/** A password is not seen as it is typed, so it is typed twice. */
const again: FormField = askedField({
  name: 'confirm_password',
  label: 'Password again',
  control: { as: 'line', type: 'password', max: 128, again: true },
  readsOthers: true,
  read: (data) => {
    const [given = ''] = data.all('password')
    const [repeated = given] = data.all('confirm_password') // other programs send it once
    if (repeated !== given) throw new FieldError('This is not the same as the one above.')
    return {}
  },
})

const superuser = (visit: Visit): FormField =>
  askedField({
    name: 'is_superuser',
    label: 'Superuser',
    help: 'May do everything, and no permission counts.',
    control: { as: 'check' },
    texts: ({ id }) => [String(id !== undefined && visit.store.rows.has('users.user', { id, is_superuser: 1 }))],
    after: ({ given, texts }) => {
      const shown = given?.(Shown)[0] ?? texts(superuser(visit))[0] ?? 'false'
      return html`<input type="hidden" name="${Shown}" value="${shown}">`
    },
  })

/** The form of a user asks for a password twice, and superusers who else is one. */
export const userForm: SpecialForm = {
  groups: (visit, groups) =>
    groups.map((group) => ({
      ...group,
      fields: group.fields.flatMap((field) => {
        if (field.name === 'password') return [field, again]
        return field.name === 'is_active' && visit.actor.superuser ? [field, superuser(visit)] : [field]
      }),
    })),
  saved: (tools, id, data) => {
    const isWanted = data.all('is_superuser').includes('true')
    if (isWanted) demandSuperuser(tools)
    const [shown] = data.all(Shown)
    // Who became one since the form was made stays one: it says what was changed of what it showed.
    if (tools.user.superuser && shown !== undefined && isWanted !== (shown === 'true'))
      setSuperuser(tools, id, isWanted)
  },
}
