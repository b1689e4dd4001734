import type { Config } from '../config.ts'
import { constraintFault } from '../engine/actor.ts'
import { allModels, models } from '../engine/catalog.ts'
import { faultsOf } from '../store/custom-rules.ts'

/** What rules of the configuration cannot be used for, a sentence each. */
export const ruleFaults = ({ customValidators, protectionRules }: Config): string[] => [
  ...faultsOf(customValidators).map((fault) => `CUSTOM_VALIDATORS: ${fault}`),
  ...faultsOf(protectionRules).map((fault) => `PROTECTION_RULES: ${fault}`),
]

/** Permissions of the configuration that allow nothing, since they name what is not here: a sentence each. */
export function idlePermissions(config: Config): string[] {
  const { defaultPermissions, remoteAuthDefaultPermissions, exemptViewPermissions } = config
  return [
    ...exemptViewPermissions
      .filter((name) => name !== '*' && !models[name])
      .map((name) => `EXEMPT_VIEW_PERMISSIONS: ${name} is no model`),
    ...idleIn('DEFAULT_PERMISSIONS', defaultPermissions),
    ...idleIn('REMOTE_AUTH_DEFAULT_PERMISSIONS', remoteAuthDefaultPermissions),
  ]
}

const idleIn = (key: string, permissions: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(permissions).flatMap(([name, constraints]) => {
    const fault = faultOf(name, constraints)
    return fault ? [`${key}: ${name}: ${fault}, so it allows nothing`] : []
  })

function faultOf(name: string, constraints: unknown): string | undefined {
  const [, app, action, label] = /^(\w+)\.(\w+)_([a-z]+)$/.exec(name)!
  const m = models[`${app}.${label}`]
  if (!m) return `${app}.${label} is no model`
  if (!actions().has(action)) return `there is no action ${action}`
  const isAll = constraints === null || (Array.isArray(constraints) && constraints.length === 0)
  return isAll ? undefined : constraintFault(constraints, m)
}

/** Actions that permissions can be for: on every model, and those that models declare. */
const actions = (): ReadonlySet<string | undefined> =>
  new Set([
    ...['view', 'add', 'change', 'delete', 'run', 'grant'],
    ...allModels.flatMap(({ behaviour }) =>
      Object.values(behaviour.actions ?? {}).flatMap(({ get, post }) => [get?.permission, post?.permission]),
    ),
  ])
