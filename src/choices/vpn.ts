export const AuthenticationAlgorithmChoices = [
  ['hmac-sha1', 'SHA-1 HMAC'],
  ['hmac-sha256', 'SHA-256 HMAC'],
  ['hmac-sha384', 'SHA-384 HMAC'],
  ['hmac-sha512', 'SHA-512 HMAC'],
  ['hmac-md5', 'MD5 HMAC'],
] as const
export const AuthenticationMethodChoices = [
  ['preshared-keys', 'Pre-shared keys'],
  ['certificates', 'Certificates'],
  ['rsa-signatures', 'RSA signatures'],
  ['dsa-signatures', 'DSA signatures'],
] as const
export const DHGroupChoices = [
  [1, 'Group 1'],
  [2, 'Group 2'],
  [5, 'Group 5'],
  [14, 'Group 14'],
  [15, 'Group 15'],
  [16, 'Group 16'],
  [17, 'Group 17'],
  [18, 'Group 18'],
  [19, 'Group 19'],
  [20, 'Group 20'],
  [21, 'Group 21'],
  [22, 'Group 22'],
  [23, 'Group 23'],
  [24, 'Group 24'],
  [25, 'Group 25'],
  [26, 'Group 26'],
  [27, 'Group 27'],
  [28, 'Group 28'],
  [29, 'Group 29'],
  [30, 'Group 30'],
  [31, 'Group 31'],
  [32, 'Group 32'],
  [33, 'Group 33'],
  [34, 'Group 34'],
] as const
export const EncryptionAlgorithmChoices = [
  ['aes-128-cbc', '128-bit AES (CBC)'],
  ['aes-128-gcm', '128-bit AES (GCM)'],
  ['aes-192-cbc', '192-bit AES (CBC)'],
  ['aes-192-gcm', '192-bit AES (GCM)'],
  ['aes-256-cbc', '256-bit AES (CBC)'],
  ['aes-256-gcm', '256-bit AES (GCM)'],
  ['3des-cbc', '3DES'],
  ['des-cbc', 'DES'],
] as const
export const IKEModeChoices = [
  ['aggressive', 'Aggressive'],
  ['main', 'Main'],
] as const
export const IKEVersionChoices = [
  [1, 'IKEv1'],
  [2, 'IKEv2'],
] as const
export const IPSecModeChoices = [
  ['esp', 'ESP'],
  ['ah', 'AH'],
] as const
export const L2VPNStatusChoices = [
  ['active', 'Active'],
  ['planned', 'Planned'],
  ['decommissioning', 'Decommissioning'],
] as const
export const L2VPNTypeChoices = [
  ['vpws', 'VPWS'],
  ['vpls', 'VPLS'],
  ['vxlan', 'VXLAN'],
  ['vxlan-evpn', 'VXLAN-EVPN'],
  ['mpls-evpn', 'MPLS EVPN'],
  ['pbb-evpn', 'PBB EVPN'],
  ['evpn-vpws', 'EVPN VPWS'],
  ['epl', 'EPL'],
  ['evpl', 'EVPL'],
  ['ep-lan', 'Ethernet Private LAN'],
  ['evp-lan', 'Ethernet Virtual Private LAN'],
  ['ep-tree', 'Ethernet Private Tree'],
  ['evp-tree', 'Ethernet Virtual Private Tree'],
  ['spb', 'SPB'],
] as const
export const TunnelEncapsulationChoices = [
  ['ipsec-transport', 'IPsec - Transport'],
  ['ipsec-tunnel', 'IPsec - Tunnel'],
  ['ip-ip', 'IP-in-IP'],
  ['gre', 'GRE'],
  ['wireguard', 'WireGuard'],
  ['openvpn', 'OpenVPN'],
  ['l2tp', 'L2TP'],
  ['pptp', 'PPTP'],
] as const
export const TunnelStatusChoices = [
  ['planned', 'Planned'],
  ['active', 'Active'],
  ['disabled', 'Disabled'],
] as const
export const TunnelTerminationTypeChoices = [
  ['dcim.device', 'Device'],
  ['virtualization.virtualmachine', 'Virtual machine'],
] as const
export const TunnelTerminationRoleChoices = [
  ['peer', 'Peer'],
  ['hub', 'Hub'],
  ['spoke', 'Spoke'],
] as const
