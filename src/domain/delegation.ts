import { type Errors, Refused, type WriteTools } from '../registry/behaviour.ts'
import type { Stored } from '../fields/field.ts'

/** What decides how much a permission gives, as it is stored. */
interface Permission {
  object_types: string
  actions: string | null
  constraints: string | null
  [column: string]: Stored
}

const refusal = (detail: string): Refused => new Refused(403, { detail } satisfies Errors)

/** Refuses with 403 unless the acting user holds all that a permission gives. */
export function demandHeld(tools: WriteTools, permission: Permission): void {
  if (tools.user.superuser) return
  const constraints: unknown = permission.constraints === null ? null : JSON.parse(permission.constraints)
  for (const type of JSON.parse(permission.object_types) as string[])
    for (const action of JSON.parse(permission.actions ?? '[]') as string[])
      if (!tools.holds(action, type, constraints))
        throw refusal(`You cannot give a permission that you do not hold yourself: ${action} ${type}.`)
}

/** Refuses with 403 unless the acting user holds the enabled permissions among these ids. */
export function demandPermissionsHeld(tools: WriteTools, ids: readonly number[]): void {
  if (tools.user.superuser || ids.length === 0) return
  for (const permission of tools.all<Permission>(
    'select * from users_objectpermission where enabled = 1 and id in (select value from json_each(?))',
    JSON.stringify(ids),
  ))
    demandHeld(tools, permission)
}

/** Refuses with 403 unless the acting user holds what members of these groups may do. */
export function demandGroupsHeld(tools: WriteTools, ids: readonly number[]): void {
  if (tools.user.superuser || ids.length === 0) return
  const permissions = tools.all<{ id: number }>(
    'select distinct to_id as id from users_group_permissions where from_id in (select value from json_each(?))',
    JSON.stringify(ids),
  )
  demandPermissionsHeld(
    tools,
    permissions.map(({ id }) => id),
  )
}

/** Refuses with 403 unless the acting user may do all that another user may: whoever sets a password or makes a token can act as them. */
export function demandNoLessThan(tools: WriteTools, userId: number): void {
  if (tools.user.superuser || tools.user.id === userId) return
  demandNotSuperuser(tools, userId)
  const ids = (table: string) =>
    tools.all<{ id: number }>(`select to_id as id from ${table} where from_id = ?`, userId).map(({ id }) => id)
  demandPermissionsHeld(tools, ids('users_user_permissions'))
  demandGroupsHeld(tools, ids('users_user_groups'))
}

/** Refuses with 403 when a user is a superuser and the acting one is not. */
export function demandNotSuperuser(tools: WriteTools, userId: number): void {
  if (tools.user.superuser) return
  const user = tools.get<{ is_superuser: number }>('select is_superuser from users_user where id = ?', userId)
  if (user?.is_superuser) throw refusal('Only a superuser can do this to a superuser.')
}

/** Ids among those given for a many-to-many field that its link table does not have yet. `from`: the column of this row, and its id. */
export function addedLinks(
  tools: WriteTools,
  table: string,
  from: 'from_id' | 'to_id',
  id: number | undefined,
  given: unknown,
): number[] {
  if (tools.user.superuser || !Array.isArray(given)) return []
  const to = from === 'from_id' ? 'to_id' : 'from_id'
  const known = new Set(
    id === undefined
      ? []
      : tools.all<{ id: number }>(`select ${to} as id from ${table} where ${from} = ?`, id).map((row) => row.id),
  )
  return (given as number[]).filter((other) => !known.has(other))
}
