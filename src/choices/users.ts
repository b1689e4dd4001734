export const TokenVersionChoices = [
  [1, 'v1'],
  [2, 'v2'],
] as const
