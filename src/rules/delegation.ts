import { type Errors, invalid, Refused, type WriteTools } from '../declare/behaviour.ts'
import type { ModelName, Models } from '../models/index.ts'
import type { RowNamed } from '../declare/model.ts'

/** What decides how much a permission gives, as it is stored. */
type Permission = Pick<RowNamed<'users.objectpermission'>, 'object_types' | 'actions' | 'constraints'>

const refusal = (detail: string): Refused => new Refused(403, { detail } satisfies Errors)

/** Refuses with 403 unless the acting user holds all that a permission gives. */
export function demandHeld(tools: WriteTools, permission: Permission): void {
  if (tools.user.superuser) return
  const constraints: unknown = permission.constraints === null ? null : JSON.parse(permission.constraints)
  for (const type of JSON.parse(permission.object_types!) as string[])
    for (const action of JSON.parse(permission.actions ?? '[]') as string[])
      if (!tools.holds(action, type, constraints))
        throw refusal(`You cannot give a permission that you do not hold yourself: ${action} ${type}.`)
}

/**
 * Refuses with 403 unless the acting user holds the permissions of these ids; disabled ones too, which somebody may
 * enable once they are given.
 */
export function demandPermissionsHeld(tools: WriteTools, ids: readonly number[]): void {
  if (tools.user.superuser || ids.length === 0) return
  for (const permission of tools.rows('users.objectpermission', { id: { in: ids } })) demandHeld(tools, permission)
}

/** Refuses with 403 unless the acting user holds what members of these groups may do. */
export function demandGroupsHeld(tools: WriteTools, ids: readonly number[]): void {
  if (tools.user.superuser || ids.length === 0) return
  demandPermissionsHeld(tools, tools.linked('users.group', 'permissions', ids))
}

/**
 * Refuses with 403 unless the acting user may do all that another user may: whoever sets a password or makes a token
 * can act as them.
 */
export function demandNoLessThan(tools: WriteTools, userId: number): void {
  if (tools.user.superuser || tools.user.id === userId) return
  demandNotSuperuser(tools, userId)
  demandPermissionsHeld(tools, tools.linked('users.user', 'permissions', [userId]))
  demandGroupsHeld(tools, tools.linked('users.user', 'groups', [userId]))
}

/** Refuses with 403 when a user is a superuser and the acting one is not. */
export function demandNotSuperuser(tools: WriteTools, userId: number): void {
  if (tools.user.superuser) return
  if (tools.row('users.user', userId)?.is_superuser) throw refusal('Only a superuser can do this to a superuser.')
}

/** Refuses with 403 unless the acting user is a superuser: nobody else makes one. */
export function demandSuperuser(tools: WriteTools): void {
  if (!tools.user.superuser) throw refusal('Only a superuser can make a superuser.')
}

/** Makes a user a superuser, or one like others: not the last one. */
export function setSuperuser(tools: WriteTools, userId: number, isWanted: boolean): void {
  demandSuperuser(tools)
  const others = tools.rows('users.user', { is_superuser: 1, is_active: 1 }).filter(({ id }) => id !== userId)
  if (!isWanted && others.length === 0)
    throw invalid({ is_superuser: ['This is the only superuser: make another one first.'] })
  tools.patch('users.user', userId, { is_superuser: isWanted ? 1 : 0 })
}

/**
 * Ids among those given for a many-to-many field that a row does not have yet; none for a superuser, who may give any.
 */
export function addedLinks<N extends ModelName>(
  tools: WriteTools,
  model: N,
  field: keyof Models[N]['fields'] & string,
  id: number | undefined,
  given: unknown,
): number[] {
  if (tools.user.superuser || !Array.isArray(given)) return []
  const known = new Set(id === undefined ? [] : tools.linked(model, field, [id]))
  return (given as number[]).filter((other) => !known.has(other))
}
