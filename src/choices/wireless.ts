export const WirelessAuthCipherChoices = [
  ['auto', 'Auto'],
  ['tkip', 'TKIP'],
  ['aes', 'AES'],
] as const
export const WirelessAuthTypeChoices = [
  ['open', 'Open'],
  ['wep', 'WEP'],
  ['wpa-personal', 'WPA Personal (PSK)'],
  ['wpa-enterprise', 'WPA Enterprise'],
] as const
export const WirelessLANStatusChoices = [
  ['active', 'Active'],
  ['reserved', 'Reserved'],
  ['disabled', 'Disabled'],
  ['deprecated', 'Deprecated'],
] as const
