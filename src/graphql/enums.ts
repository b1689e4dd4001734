import * as circuits from '../choices/circuits.ts'
import * as core from '../choices/core.ts'
import * as dcim from '../choices/dcim.ts'
import * as extras from '../choices/extras.ts'
import * as ipam from '../choices/ipam.ts'
import * as tenancy from '../choices/tenancy.ts'
import * as users from '../choices/users.ts'
import * as virtualization from '../choices/virtualization.ts'
import * as vpn from '../choices/vpn.ts'
import * as wireless from '../choices/wireless.ts'
import type { Choices } from '../fields/choice.ts'
import { Families } from '../fields/address.ts'

/** Every set of values by what its enumeration is called: `DeviceStatusChoices` is `DeviceStatusEnum`. */
const sets: ReadonlyMap<string, Choices> = new Map([
  ...[circuits, core, dcim, extras, ipam, tenancy, users, virtualization, vpn, wireless].flatMap((file) =>
    Object.entries(file as Record<string, Choices>).map(([name, choices]): [string, Choices] => [
      name.replace(/Choices$/, 'Enum'),
      choices,
    ]),
  ),
  ['IPAddressFamilyEnum', Families],
])
const names: ReadonlyMap<Choices, string> = new Map([...sets].map(([name, choices]) => [choices, name]))

/**
 * What the names of values begin with, where that is not the last word of the enumeration's name (`DeviceStatusEnum`:
 * STATUS).
 */
const Prefixes: Readonly<Record<string, string>> = {
  AuthenticationAlgorithmEnum: 'AUTH',
  AuthenticationMethodEnum: '',
  CableEndEnum: 'SIDE',
  CircuitStatusEnum: '',
  CustomFieldChoiceColorEnum: '',
  CustomFieldChoiceSetBaseEnum: '',
  CustomFieldFilterLogicEnum: 'FILTER',
  CustomFieldUIEditableEnum: '',
  CustomFieldUIVisibleEnum: '',
  CustomLinkButtonClassEnum: '',
  DistanceUnitEnum: '',
  EncryptionAlgorithmEnum: 'ENCRYPTION',
  EventRuleActionEnum: '',
  FHRPGroupAuthTypeEnum: 'AUTHENTICATION',
  IKEModeEnum: '',
  IPSecModeEnum: '',
  InterfacePoETypeEnum: '',
  ModuleAirflowEnum: '',
  PowerOutletFeedLegEnum: 'FEED_LEG',
  RackAirflowEnum: '',
  RackFormFactorEnum: 'TYPE',
  ServiceProtocolEnum: 'ROLE',
  TunnelEncapsulationEnum: 'ENCAP',
  VLANQinQRoleEnum: 'ROLE',
  VirtualMachineStartOnBootEnum: 'START_ON_BOOT',
  WebhookHttpMethodEnum: '',
  WeightUnitEnum: '',
}

/** What enumerations are called, where that is not the name of the set. */
const Renamed: Readonly<Record<string, string>> = { CircuitStatusEnum: 'status' }

/** Name of the enumeration of a set of values, if it has one. */
export function enumName(choices: Choices): string | undefined {
  const name = names.get(choices)
  return name && (Renamed[name] ?? name)
}

/** Names of an enumeration's values, each with the value; undefined for a name that is no enumeration's. */
export function enumValues(name: string): [string, string | number][] | undefined {
  const own = Object.entries(Renamed).find(([, as]) => as === name)?.[0] ?? name
  const choices = sets.get(own)
  if (!choices) return undefined
  const prefix = Prefixes[own] ?? /[A-Z][a-z]+(?=Enum$)/.exec(own)?.[0].toUpperCase() ?? ''
  return choices.map(([value]) => [named(prefix, String(value)), value])
}

function named(prefix: string, value: string): string {
  const word = value.toUpperCase().replace(/\W+/g, '_')
  return prefix === '' ? word : `${prefix}_${word}`
}
