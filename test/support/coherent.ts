import type { Maker } from './maker.ts'
import { png } from './samples.ts'

/** Values that the rules of a model want to go together; `undefined` leaves a field out. */
type Coherent = (
  make: Maker,
  n: number,
  extent: 'minimal' | 'full',
) => Promise<Record<string, unknown>> | Record<string, unknown>

const ofDeviceType = async (make: Maker) => ({
  device_type: await make.shared('dcim.devicetype'),
  module_type: undefined,
})

/** Data of a source comes with its file only; an object keeps its source when it has both. */
const ownData = (_make: Maker, _n: number, extent: 'minimal' | 'full') =>
  extent === 'full' ? { data_source: undefined, data_file: undefined, auto_sync_enabled: undefined } : {}

const slugOfTag = async (make: Maker, n: number) => {
  await make.fresh('extras.tag', { slug: `tag-${n}` })
  return `tag-${n}`
}

const interfaceOn = async (make: Maker, type = '1000base-t') => make.fresh('dcim.interface', { type })
const end = async (make: Maker) => [{ object_type: 'dcim.interface', object_id: await interfaceOn(make) }]

/** Models whose fields cannot be filled one by one. Every other model is made from its declaration alone. */
export const coherent: Readonly<Record<string, Coherent>> = {
  'circuits.circuittermination': async (make) => ({
    circuit: await make.fresh('circuits.circuit'),
    termination_type: 'dcim.site',
    termination_id: await make.shared('dcim.site'),
  }),
  'circuits.virtualcircuittermination': async (make) => ({ interface: await interfaceOn(make, 'virtual') }),
  'core.kit': () => ({ with_secrets: undefined }), // cannot change
  'dcim.cable': async (make) => ({
    a_terminations: await end(make),
    b_terminations: await end(make),
    profile: undefined,
  }),
  'dcim.consoleporttemplate': ofDeviceType,
  'dcim.consoleserverporttemplate': ofDeviceType,
  'dcim.frontporttemplate': ofDeviceType,
  'dcim.devicebay': async (make, _n, extent) => {
    const child = async () =>
      make.fresh('dcim.device', {
        device_type: await make.shared('dcim.devicetype', { subdevice_role: 'child', u_height: 0 }),
      })
    return {
      device: await make.shared('dcim.device', {
        device_type: await make.shared('dcim.devicetype', { subdevice_role: 'parent' }),
      }),
      ...(extent === 'full' ? { enabled: true, installed_device: await child() } : {}),
    }
  },
  'dcim.modulebaytemplate': ofDeviceType,
  'dcim.poweroutlettemplate': ofDeviceType,
  'dcim.rearporttemplate': ofDeviceType,
  'dcim.device': async (make, n, extent) => {
    if (extent === 'minimal') return {}
    const location = await make.shared('dcim.location')
    return {
      location,
      rack: await make.fresh('dcim.rack', { location }),
      position: 1,
      face: 'front',
      vc_position: n % 255,
      virtual_chassis: await make.shared('dcim.virtualchassis'),
      primary_ip4: undefined,
      primary_ip6: undefined,
      oob_ip: undefined,
    }
  },
  'dcim.devicebaytemplate': async (make) => ({
    device_type: await make.shared('dcim.devicetype', { subdevice_role: 'parent' }),
  }),
  'dcim.devicetype': () => ({ subdevice_role: 'parent', u_height: 2 }),
  'dcim.interface': (_make, _n, extent) => ({
    type: '1000base-t',
    ...(extent === 'full'
      ? {
          mode: 'tagged',
          parent: undefined,
          lag: undefined,
          primary_mac_address: undefined,
          qinq_svlan: undefined,
          wireless_lans: undefined,
          rf_role: undefined,
          rf_channel: undefined,
          rf_channel_frequency: undefined,
          rf_channel_width: undefined,
          tx_power: undefined,
        }
      : {}),
  }),
  'dcim.interfacetemplate': async (make) => ({ ...(await ofDeviceType(make)), type: '1000base-t', rf_role: undefined }),
  'dcim.moduletype': async (make) => ({ profile: await make.shared('dcim.moduletypeprofile', { schema: {} }) }),
  'dcim.powerfeed': (_make, n) => ({ supply: 'ac', voltage: 100 + (n % 100) }),
  'dcim.powerport': (_make, _n, extent) => (extent === 'full' ? { maximum_draw: 500, allocated_draw: 300 } : {}),
  'dcim.powerporttemplate': async (make, _n, extent) => ({
    ...(await ofDeviceType(make)),
    ...(extent === 'full' ? { maximum_draw: 500, allocated_draw: 300 } : {}),
  }),
  'dcim.rack': () => ({ rack_type: undefined }),
  'dcim.rackreservation': async (make, n) => ({ rack: await make.fresh('dcim.rack'), units: [1 + (n % 40)] }),
  'dcim.racktype': () => ({ form_factor: '4-post-frame' }),
  'dcim.virtualchassis': () => ({ master: undefined }),
  'dcim.virtualdevicecontext': () => ({ primary_ip4: undefined, primary_ip6: undefined }),
  'extras.configcontext': async (make, n, extent) => ({
    data: { sample: n },
    ...(extent === 'full'
      ? { profile: await make.shared('extras.configcontextprofile', { schema: {} }), tags: [await slugOfTag(make, n)] }
      : {}),
    ...ownData(make, n, extent),
  }),
  'extras.configcontextprofile': (make, n, extent) => ({
    schema: { type: 'object', title: `Sample ${n}` },
    ...ownData(make, n, extent),
  }),
  'extras.configtemplate': ownData,
  'extras.customfield': () => ({
    type: 'text',
    object_types: ['dcim.rackrole'],
    required: false,
    default: undefined,
    related_object_type: undefined,
    related_object_filter: undefined,
    choice_set: undefined,
    validation_minimum: undefined,
    validation_maximum: undefined,
    validation_regex: '^[a-z]',
    validation_schema: undefined,
  }),
  'extras.customfieldchoiceset': (_make, n) => ({ extra_choices: [[`v${n}`, `Value ${n}`]], choice_colors: undefined }),
  'extras.eventrule': async (make) => ({
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: await make.shared('extras.webhook'),
    conditions: null,
  }),
  'extras.exporttemplate': ownData,
  'extras.imageattachment': async (make) => ({
    object_type: 'dcim.site',
    object_id: await make.shared('dcim.site'),
    image: png(),
  }),
  'extras.tableconfig': () => ({ object_type: 'dcim.site', table: 'SiteTable' }),
  'extras.webhook': (_make, n, extent) => ({
    payload_url: `https://host-${n}.example/{{ model }}`,
    ...(extent === 'full'
      ? {
          ssl_verification: true,
          additional_headers: 'X-Sample: 1',
          http_content_type: 'application/json',
          body_template: '{{ data }}',
          ca_file_path: undefined,
        }
      : {}),
  }),
  'ipam.asn': async (make) => ({ rir: await make.shared('ipam.rir') }),
  'ipam.asnrange': (_make, n) => ({ start: n * 10, end: n * 10 + 5 }),
  'ipam.ipaddress': (_make, n, extent) => ({
    address: `10.${n >> 8}.${n & 255}.7/24`,
    ...(extent === 'full' ? { status: 'active', role: 'vip' } : {}),
  }),
  'ipam.iprange': (_make, n) => ({
    start_address: `10.${n >> 8}.${n & 255}.8/24`,
    end_address: `10.${n >> 8}.${n & 255}.15/24`,
  }),
  'ipam.service': () => ({ protocol: 'tcp' }),
  'ipam.servicetemplate': () => ({ protocol: 'tcp' }),
  'ipam.vlan': (_make, _n, extent) => (extent === 'full' ? { qinq_role: 'cvlan' } : {}),
  'tenancy.contactassignment': async (make) => ({
    object_type: 'dcim.site',
    object_id: await make.fresh('dcim.site'),
    role: await make.shared('tenancy.contactrole'),
  }),
  'users.token': () => ({ version: 2, pepper_id: undefined }),
  'users.user': () => ({ password: 'Cabinet-Test-Passw0rd' }),
  'virtualization.virtualmachine': async (make, _n, extent) => ({
    site: await make.shared('dcim.site'),
    ...(extent === 'full' ? { device: undefined, primary_ip4: undefined, primary_ip6: undefined } : {}),
  }),
  'virtualization.vminterface': () => ({ mode: 'tagged', qinq_svlan: undefined, primary_mac_address: undefined }),
  'vpn.ikepolicy': () => ({ version: 1, mode: 'main' }),
  'vpn.ipsecproposal': () => ({ encryption_algorithm: 'aes-256-cbc', authentication_algorithm: 'hmac-sha256' }),
  'vpn.l2vpn': () => ({ type: 'vxlan' }),
  'wireless.wirelesslink': async (make) => ({
    interface_a: await interfaceOn(make, 'ieee802.11ac'),
    interface_b: await interfaceOn(make, 'ieee802.11ac'),
  }),
}
