import { type Actor, System } from '../engine/actor.ts'
import { allModels, fieldsOf } from '../engine/catalog.ts'
import type { Config } from '../config.ts'
import type { Store } from './open.ts'

/** Tables that decide what users may do. */
export const AccountTables = [
  'users_user',
  'users_group',
  'users_objectpermission',
  'users_user_groups',
  'users_user_permissions',
  'users_group_permissions',
]

const NeverExempt = new Set([
  'users.user',
  'users.group',
  'users.objectpermission',
  'users.token',
  'core.configrevision',
])

let withSecrets: ReadonlySet<string> | undefined
/** Names of the models whose answers have secret members: nobody sees them without a permission. */
const showsSecrets = (): ReadonlySet<string> =>
  (withSecrets ??= new Set(
    allModels
      .filter((m) => fieldsOf(m).some(([, { options: o }]) => o.secret && !o.hidden && !o.writeOnly))
      .map((m) => m.name),
  ))

/** Whether EXEMPT_VIEW_PERMISSIONS opens a model to everybody. */
const exemption =
  ({ exemptViewPermissions: list }: Config) =>
  (model: string): boolean =>
    !showsSecrets().has(model) && (list.includes(model) || (list.includes('*') && !NeverExempt.has(model)))

/** Users as actors, with the grants of the user and of their groups; remembered until an account changes. */
export class Actors {
  /** Nobody: sees what EXEMPT_VIEW_PERMISSIONS shows. */
  readonly anonymous: Actor
  readonly #store: Pick<Store, 'db' | 'config'>
  readonly #known = new Map<string, Actor>()
  readonly #exempt: (model: string) => boolean
  #stamp = -1

  constructor(store: Pick<Store, 'db' | 'config'>) {
    this.#store = store
    this.#exempt = exemption(store.config)
    this.anonymous = { ...System, superuser: false, exempt: this.#exempt, writes: false }
  }

  /**
   * The actor that a user is; `writes` is false for one who may only read. Undefined when there is no such active user.
   */
  of(userId: number, writes: boolean): Actor | undefined {
    const stamp = this.#store.db.stamp(AccountTables)
    if (stamp !== this.#stamp) this.#known.clear()
    this.#stamp = stamp
    const key = `${userId}${writes ? ' writes' : ''}`
    const known = this.#known.get(key)
    if (known) return known
    const user = this.#store.db.get<{ id: number; username: string; is_superuser: number; is_active: number }>(
      'select id, username, is_superuser, is_active from users_user where id = +?',
      userId,
    )
    if (!user?.is_active) return undefined
    const actor: Actor = {
      userId: user.id,
      username: user.username,
      superuser: user.is_superuser === 1,
      grants: this.#grants(user.id),
      exempt: this.#exempt,
      writes,
    }
    this.#known.set(key, actor)
    return actor
  }

  #grants(userId: number): Map<string, unknown[]> {
    const grants = new Map<string, unknown[]>()
    const add = (name: string, constraints: unknown) => {
      const own = grants.get(name)
      if (own) own.push(constraints)
      else grants.set(name, [constraints])
    }
    for (const [name, constraints] of Object.entries(this.#store.config.defaultPermissions)) add(name, constraints)
    const rows = this.#store.db.all<{ object_types: string; actions: string; constraints: string | null }>(
      `select object_types, actions, constraints from users_objectpermission p where enabled = 1 and (
         p.id in (select to_id from users_user_permissions where from_id = +?)
         or p.id in (select gp.to_id from users_group_permissions gp
           join users_user_groups ug on ug.to_id = gp.from_id where ug.from_id = +?))`,
      userId,
      userId,
    )
    for (const row of rows) {
      const constraints = row.constraints === null ? null : JSON.parse(row.constraints)
      for (const type of JSON.parse(row.object_types) as string[])
        for (const action of JSON.parse(row.actions) as string[]) add(type.replace('.', `.${action}_`), constraints)
    }
    return grants
  }
}
