export const CircuitPriorityChoices = [
  ['primary', 'Primary'],
  ['secondary', 'Secondary'],
  ['tertiary', 'Tertiary'],
  ['inactive', 'Inactive'],
] as const
export const CircuitStatusChoices = [
  ['planned', 'Planned'],
  ['provisioning', 'Provisioning'],
  ['active', 'Active'],
  ['offline', 'Offline'],
  ['deprovisioning', 'Deprovisioning'],
  ['decommissioned', 'Decommissioned'],
] as const
export const CircuitTerminationSideChoices = [
  ['A', 'A'],
  ['Z', 'Z'],
] as const
export const DistanceUnitChoices = [
  ['km', 'Kilometers'],
  ['m', 'Meters'],
  ['mi', 'Miles'],
  ['ft', 'Feet'],
] as const
export const VirtualCircuitTerminationRoleChoices = [
  ['peer', 'Peer'],
  ['hub', 'Hub'],
  ['spoke', 'Spoke'],
] as const
