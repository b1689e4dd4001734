import { CableEndChoices } from '../choices/dcim.ts'
import { jsonBoolean } from '../fields/boolean.ts'
import { deferredObject } from '../fields/generic.ts'
import { boolean, choice, computed, integer, listOf, ref } from '../fields/index.ts'
import type { SqlContext } from '../fields/context.ts'

/** Models whose objects a cable can end at; those that a path begins and ends at are marked. */
export const Cabled = {
  'circuits.circuittermination': false,
  'dcim.consoleport': true,
  'dcim.consoleserverport': true,
  'dcim.frontport': false,
  'dcim.interface': true,
  'dcim.powerfeed': true,
  'dcim.poweroutlet': true,
  'dcim.powerport': true,
  'dcim.rearport': false,
} as const
export type CabledModel = keyof typeof Cabled
export const CabledModels = Object.keys(Cabled) as CabledModel[]

/** What can be at the other end of a cable, and at the end of a path. */
const Peers = { models: CabledModels, name: 'LinkPeerType' }
const Ends = {
  models: [...CabledModels, 'circuits.providernetwork', 'circuits.virtualcircuittermination'] as const,
  name: 'ConnectedEndpointType',
}

const termination = (t: string, sql: SqlContext) =>
  `dcim_cabletermination c where c.termination_type = '${sql.owner.name}' and c.termination_id = ${t}.id`

/** What is at the other end of the cable, as rows of cable terminations know it. */
function linkPeers(t: string, sql: SqlContext): string {
  sql.uses('dcim_cabletermination', { t, column: 'termination_id' })
  return `case when ${t}.cable_id is null then json('[]')
    else json(coalesce((select (select json_group_array(${deferredObject('c.peer_type', 'j.value')} order by j.key)
    from json_each(c.peers) j) from ${termination(t, sql)}), '[]')) end`
}
const peersType = (t: string, sql: SqlContext): string => {
  sql.uses('dcim_cabletermination', { t, column: 'termination_id' })
  return `(select c.peer_type from ${termination(t, sql)})`
}

/** Ends of a complete path, or null. */
function endpoints(t: string, sql: SqlContext): string {
  sql.uses('dcim_cablepath')
  return `(select case
    when p.is_complete = 1 then (select json_group_array(${deferredObject('p.destination_type', 'j.value')}
    order by j.key) from json_each(p.destinations) j) end from dcim_cablepath p where p.id = ${t}._path_id)`
}
const endpointsType = (t: string, sql: SqlContext): string => {
  sql.uses('dcim_cablepath')
  return `(select case when p.is_complete = 1 then p.destination_type end from dcim_cablepath p
    where p.id = ${t}._path_id)`
}
const isReachable = (t: string, sql: SqlContext): string => {
  sql.uses('dcim_cablepath')
  return `coalesce((select p.is_complete and p.is_active from dcim_cablepath p where p.id = ${t}._path_id), 0)`
}

/** SQL of whether a path in service begins at a row, wherever it ends. */
export const onActivePath = (t: string): string =>
  `exists (select 1 from dcim_cablepath p where p.id = ${t}._path_id and p.is_active = 1)`

/** Conditions on rows that begin a path which reaches an end, in service or not; and the tables that they read. */
export const onCompletePath = {
  where: ['exists (select 1 from dcim_cablepath p where p.id = t._path_id and p.is_complete = 1)'],
  uses: ['dcim_cablepath'],
} as const

/** A list of nested objects of any model. */
const Objects = { type: 'array', items: { type: 'object', additionalProperties: {} } }

/** Cable members that the cable's own rules write. */
export const cable = {
  mark_connected: boolean({ help: 'Counts as connected though no cable is recorded.', default: false }),
  cable: ref('dcim.cable', { readOnly: true, onDelete: 'set null', related: false, filter: false }),
  cable_end: choice(CableEndChoices, { nullable: true, readOnly: true, raw: true, single: true }),
}
const peers = {
  link_peers: computed((t, sql) => linkPeers(t, sql), { schema: Objects, objects: Peers }),
  link_peers_type: computed((t, sql) => peersType(t, sql), { schema: { type: ['string', 'null'] } }),
}
export const cabled = {
  ...cable,
  ...peers,
}
/** Where the path leads that begins here. */
export const connected = {
  connected_endpoints: computed((t, sql) => `json(${endpoints(t, sql)})`, {
    schema: { ...Objects, nullable: true },
    objects: Ends,
  }),
  connected_endpoints_type: computed(endpointsType, { schema: { type: ['string', 'null'] } }),
  connected_endpoints_reachable: computed((t, sql) => jsonBoolean(isReachable(t, sql)), {
    schema: { type: 'boolean' },
  }),
}
/** As `peers`, of interfaces: without a cable a wireless link's other interface. */
export const interfacePeers = {
  link_peers: computed(
    (t, sql) => {
      sql.uses('wireless_wirelesslink')
      const other = `iif(w.interface_a_id = ${t}.id, w.interface_b_id, w.interface_a_id)`
      const radio = `(select json_array(${deferredObject("'dcim.interface'", other)})
        from wireless_wirelesslink w where w.id = ${t}.wireless_link_id)`
      return `case when ${t}.cable_id is null and ${t}.wireless_link_id is not null then json(${radio})
        else ${linkPeers(t, sql)} end`
    },
    { schema: Objects, objects: Peers },
  ),
  link_peers_type: peers.link_peers_type, // of cables alone
}
/** As `connected`, of interfaces: a virtual one on a virtual circuit is connected to the other terminations. */
const circuitPeers = (
  t: string,
): string => `(select nullif(json_group_array(${deferredObject("'circuits.virtualcircuittermination'", 'o.id')}
  order by o.id), '[]') from circuits_virtualcircuittermination c
  join circuits_virtualcircuittermination o on o.virtual_circuit_id = c.virtual_circuit_id and o.id <> c.id
  where c.interface_id = ${t}.id and o.role = case c.role when 'hub' then 'spoke' when 'spoke' then 'hub'
    else 'peer' end)`
const onCircuit = (t: string, sql: SqlContext): string => {
  for (const name of ['circuits.virtualcircuit', 'circuits.virtualcircuittermination']) sql.uses(sql.model(name).table)
  return `(${t}._path_id is null and exists (select 1 from circuits_virtualcircuittermination c
    where c.interface_id = ${t}.id))`
}
export const interfaceConnected = {
  connected_endpoints: computed(
    (t, sql) => `json(case when ${onCircuit(t, sql)} then ${circuitPeers(t)} else ${endpoints(t, sql)} end)`,
    { schema: { ...Objects, nullable: true }, objects: Ends },
  ),
  connected_endpoints_type: computed(
    (t, sql) =>
      `case when ${onCircuit(t, sql)} then iif(${circuitPeers(t)} is null, null, 'circuits.virtualcircuittermination')
        else ${endpointsType(t, sql)} end`,
    { schema: { type: ['string', 'null'] } },
  ),
  connected_endpoints_reachable: connected.connected_endpoints_reachable, // over cables alone
}
/** Columns that no answer shows: which connector of the cable this is, and its positions. */
export const connector = {
  cable_connector: integer({ hidden: true, graphed: true, nullable: true }),
  cable_positions: listOf((value) => ({ value }), {
    hidden: true,
    graphed: true,
    nullable: true,
    items: { type: 'integer' },
  }),
}
export const path = {
  _path: ref('dcim.cablepath', { hidden: true, nullable: true, onDelete: 'set null', related: false }),
}
export const occupied = {
  _occupied: computed((t) => jsonBoolean(`(${t}.cable_id is not null or ${t}.mark_connected = 1)`), {
    schema: { type: 'boolean' },
  }),
}
