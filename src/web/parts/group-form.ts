import { html } from 'hono/html'
import { invalid, type WriteTools } from '../../declare/behaviour.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { conditionOf } from '../../http/lists.ts'
import { askedField } from '../asked-field.ts'
import type { FormData } from '../form-data.ts'
import type { FormField } from '../form-fields.ts'
import type { Visit } from '../visit.ts'
import type { SpecialForm } from './forms.ts'

/** The members that the form showed, by their ids. */
const Shown = '_users_shown'
const users = () => modelNamed('users.user')
const isOffered = (visit: Visit): boolean => may(visit.actor, 'change', users())

/** The members of a group, as far as the user may view them. */
function membersOf(visit: Visit, group: number): readonly number[] {
  const those = conditionOf(visit, users(), new URLSearchParams({ group_id: String(group) }))
  return visit.store.reader.page(users(), those, undefined, undefined, 0).ids
}

const members = (visit: Visit): FormField =>
  askedField({
    name: 'users',
    label: 'Users',
    control: { as: 'pick', model: 'users.user', multiple: true },
    texts: (row) => (row.id === undefined || row.id === null ? [] : membersOf(visit, row.id).map(String)),
    // Who came or went since the form was made stays so: it says what was changed of what it showed.
    after: ({ given, texts }) => {
      const shown = given?.(Shown)[0] ?? texts(members(visit)).join()
      return html`<input type="hidden" name="${Shown}" value="${shown}">`
    },
  })

/** The form of a group asks who is in it, whom else the form of each user says. */
export const groupForm: SpecialForm = {
  groups: (visit, groups) =>
    isOffered(visit)
      ? [...groups.slice(0, 1), { title: 'Users', fields: [members(visit)] }, ...groups.slice(1)]
      : [...groups],
  saved: (tools, id, data, visit) => {
    if (!isOffered(visit)) return
    const now = membersOf(visit, id)
    const [said] = data.all(Shown)
    const shown = said === undefined ? now : said.split(',').map(Number)
    const wanted = wantedBy(tools, data)
    const added = wanted.filter((user) => !shown.includes(user) && !now.includes(user))
    const removed = now.filter((user) => shown.includes(user) && !wanted.includes(user))
    setMembers(tools, id, added, removed)
  },
}

/** Ids of the users that a form names; by the name where no script draws the picker. Throws `Refused`. */
function wantedBy(tools: WriteTools, data: FormData): number[] {
  return data
    .all('users')
    .filter(Boolean)
    .map((text) => {
      const isId = /^\d{1,15}$/.test(text)
      const user = isId ? tools.row('users.user', Number(text)) : tools.first('users.user', { username: text })
      if (!user || !tools.mayOn('view', 'users.user', user.id)) throw invalid({ users: [`There is no user ${text}.`] })
      return user.id
    })
}

function setMembers(tools: WriteTools, group: number, added: readonly number[], removed: readonly number[]): void {
  const change = (id: number, groupsOf: (groups: readonly number[]) => number[]): void => {
    const may = () => tools.mayOn('change', 'users.user', id)
    const refusal = () => invalid({ users: [`You may not change ${tools.display('users.user', id)}.`] })
    if (!may()) throw refusal()
    tools.update('users.user', id, { groups: groupsOf(tools.linked('users.user', 'groups', [id])) })
    if (!may()) throw refusal()
  }
  for (const id of added) change(id, (groups) => [...groups, group])
  for (const id of removed) change(id, (groups) => groups.filter((each) => each !== group))
}
