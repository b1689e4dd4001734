export const FHRPGroupAuthTypeChoices = [
  ['plaintext', 'Plaintext'],
  ['md5', 'MD5'],
] as const
export const FHRPGroupProtocolChoices = [
  ['vrrp2', 'VRRPv2'],
  ['vrrp3', 'VRRPv3'],
  ['carp', 'CARP'],
  ['clusterxl', 'ClusterXL'],
  ['hsrp', 'HSRP'],
  ['glbp', 'GLBP'],
  ['other', 'Other'],
] as const
export const IPAddressRoleChoices = [
  ['loopback', 'Loopback'],
  ['secondary', 'Secondary'],
  ['anycast', 'Anycast'],
  ['vip', 'VIP'],
  ['vrrp', 'VRRP'],
  ['hsrp', 'HSRP'],
  ['glbp', 'GLBP'],
  ['carp', 'CARP'],
] as const
export const IPAddressStatusChoices = [
  ['active', 'Active'],
  ['reserved', 'Reserved'],
  ['deprecated', 'Deprecated'],
  ['dhcp', 'DHCP'],
  ['slaac', 'SLAAC'],
] as const
export const IPRangeStatusChoices = [
  ['active', 'Active'],
  ['reserved', 'Reserved'],
  ['deprecated', 'Deprecated'],
] as const
export const PrefixStatusChoices = [
  ['container', 'Container'],
  ['active', 'Active'],
  ['reserved', 'Reserved'],
  ['deprecated', 'Deprecated'],
] as const
export const ServiceProtocolChoices = [
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
  ['sctp', 'SCTP'],
] as const
export const VLANQinQRoleChoices = [
  ['svlan', 'Service'],
  ['cvlan', 'Customer'],
] as const
export const VLANStatusChoices = [
  ['active', 'Active'],
  ['reserved', 'Reserved'],
  ['deprecated', 'Deprecated'],
] as const
