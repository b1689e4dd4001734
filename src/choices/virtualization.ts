export const ClusterStatusChoices = [
  ['planned', 'Planned'],
  ['staging', 'Staging'],
  ['active', 'Active'],
  ['decommissioning', 'Decommissioning'],
  ['offline', 'Offline'],
] as const
export const VirtualMachineStartOnBootChoices = [
  ['on', 'On'],
  ['off', 'Off'],
  ['laststate', 'Last State'],
] as const
export const VirtualMachineStatusChoices = [
  ['offline', 'Offline'],
  ['active', 'Active'],
  ['planned', 'Planned'],
  ['staged', 'Staged'],
  ['failed', 'Failed'],
  ['decommissioning', 'Decommissioning'],
  ['paused', 'Paused'],
] as const
