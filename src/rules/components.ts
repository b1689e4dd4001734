import type { Row } from '../fields/field.ts'
import { invalid, Refused, type WriteTools } from '../declare/behaviour.ts'
import { retrace } from './paths.ts'
import type { RowNamed } from '../declare/model.ts'
import { forEach, sql } from '../declare/statement.ts'

/** How a kind of template becomes components: the columns copied as they are, and those that name another template. */
interface Kind {
  template: string
  component: string
  counter: string
  copied: readonly string[]
}

const kind = (name: string, counter: string, copied: string): Kind => ({
  template: `dcim.${name}template`,
  component: `dcim.${name}`,
  counter: `${counter}_template_count`,
  copied: copied.split(' '),
})
/** In the order in which a device gets them. */
const Kinds: readonly Kind[] = [
  kind('consoleport', 'console_port', 'type'),
  kind('consoleserverport', 'console_server_port', 'type'),
  kind('powerport', 'power_port', 'type maximum_draw allocated_draw'),
  kind('poweroutlet', 'power_outlet', 'type color feed_leg'),
  kind('interface', 'interface', 'type enabled mgmt_only poe_mode poe_type rf_role'),
  kind('rearport', 'rear_port', 'type color positions'),
  kind('frontport', 'front_port', 'type color positions'),
  kind('modulebay', 'module_bay', 'enabled'),
  kind('devicebay', 'device_bay', 'enabled'),
  kind('inventoryitem', 'inventory_item', 'role manufacturer part_id'),
]

/** What components are made for: a device by its type, or a module in a bay of a device. */
interface Owner {
  device: Row
  /** Column of the templates and the type's id. */
  by: 'device_type_id' | 'module_type_id'
  type: Row
  /** `adopt`: what is there by these names is taken over; `replicate`: the rest is made. */
  module?: { id: number; positions: readonly (string | null)[]; adopt: boolean; replicate: boolean }
}

const Token = /\{module\}/g
const ChassisToken = /\{vc_position(?::([^}]*))?\}/g

/**
 * A template's text with the positions of module bays and of the chassis in place. Refuses tokens that cannot be
 * filled.
 */
export function resolveTokens(text: string, owner: Pick<Owner, 'device' | 'module'>): string {
  const inChassis = text.replace(ChassisToken, (_, fallback: string | undefined) =>
    owner.device.vc_position === null || owner.device.vc_position === undefined
      ? (fallback ?? '0')
      : String(owner.device.vc_position),
  )
  const tokens = inChassis.match(Token)?.length ?? 0
  const positions = owner.module?.positions
  if (tokens === 0 || !positions) return inChassis
  if (!positions.at(-1))
    throw invalid({
      non_field_errors: ['Cannot install a module with {module} in its names in a module bay without a position.'],
    })
  if (tokens !== 1 && tokens !== positions.length)
    throw invalid({
      non_field_errors: [
        `The names of this module type have ${tokens} {module} tokens, but the bay is ${positions.length} deep.`,
      ],
    })
  let next = tokens === 1 ? positions.length - 1 : 0
  return inChassis.replace(Token, () => positions[next++] ?? '')
}

/** Gives a device or module the components of its type, with links between them found by name. */
export function instantiate(tools: WriteTools, owner: Owner): void {
  const made = new Map<string, Map<number, number>>()
  for (const each of Kinds) {
    if (!owner.type[each.counter]) continue
    const found = tools.rows(tools.model(each.template), { [owner.by]: owner.type.id! }, { order: ['id'] })
    const templates = [...found.filter((row) => !row.parent_id), ...found.filter((row) => row.parent_id)]
    made.set(each.template, makeAll(tools, owner, each, templates, made))
  }
  mapPorts(tools, owner, made)
  bridge(tools, owner, made.get('dcim.interfacetemplate'))
}

function makeAll(
  tools: WriteTools,
  owner: Owner,
  each: Kind,
  templates: readonly Row[],
  made: Map<string, Map<number, number>>,
): Map<number, number> {
  const own = new Map<number, number>()
  const names = new Set<string>()
  const wait = [...templates]
  while (wait.length) {
    const template = wait.shift()!
    if (template.parent_id && !own.has(template.parent_id as number) && wait.length) {
      wait.push(template)
      if (wait.every((other) => other.parent_id && !own.has(other.parent_id as number))) break
      continue
    }
    const name = resolveTokens(template.name as string, owner)
    if (names.has(name) && each.component !== 'dcim.inventoryitem')
      throw duplicate(owner, tools.model(each.component).label, name)
    names.add(name)
    const id =
      adopt(tools, owner, each, name) ??
      (owner.module?.replicate === false ? undefined : makeOne(tools, owner, each, template, name, own, made))
    if (id !== undefined) own.set(template.id as number, id)
  }
  return own
}

const duplicate = (owner: Owner, label: string, name: string): Refused => {
  const text = `A ${label} named ${name} already exists on this device.`
  return invalid(owner.module ? { non_field_errors: [text] } : { detail: text })
}

/** A component that is there already and belongs to no module is taken over by the module that would bring it. */
function adopt(tools: WriteTools, owner: Owner, each: Kind, name: string): number | undefined {
  const m = tools.model(each.component)
  if (!owner.module || each.component === 'dcim.modulebay') return undefined
  const there = tools.first(m, { device_id: owner.device.id!, name })
  if (!there) return undefined
  if (!owner.module.adopt) throw duplicate(owner, m.label, name)
  if (there.module_id !== null)
    throw invalid({
      non_field_errors: [`Cannot adopt ${m.label} ${name}: it belongs to a module already.`],
    })
  tools.patch(m, there.id as number, { module_id: owner.module.id })
  return there.id as number
}

function makeOne(
  tools: WriteTools,
  owner: Owner,
  each: Kind,
  template: Row,
  name: string,
  own: Map<number, number>,
  made: Map<string, Map<number, number>>,
): number {
  const body: Record<string, unknown> = { device: owner.device.id, name, description: template.description }
  if (typeof template.label === 'string') body.label = resolveTokens(template.label, owner)
  for (const key of each.copied) {
    const value = `${key}_id` in template ? template[`${key}_id`] : template[key]
    if (value !== null && value !== undefined) body[key] = value
  }
  if (owner.module) body.module = owner.module.id
  if (typeof template.position === 'string') body.position = resolveTokens(template.position, owner)
  if (template.power_port_id)
    body.power_port = made.get('dcim.powerporttemplate')?.get(template.power_port_id as number) ?? null
  if (template.parent_id) body.parent = own.get(template.parent_id as number) ?? null
  if (template.component_type) {
    const id = made.get(template.component_type as string)?.get(template.component_id as number)
    if (id)
      Object.assign(body, {
        component_type: (template.component_type as string).replace(/template$/, ''),
        component_id: id,
      })
  }
  try {
    return tools.create(each.component, body)
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error
    const texts = Object.entries(error.body as Record<string, unknown>).map(([key, value]) =>
      key === '__all__' ? [value].flat().join(' ') : `${key}: ${[value].flat().join(' ')}`,
    )
    throw invalid({
      [owner.module ? 'non_field_errors' : 'detail']: owner.module
        ? texts.map((text) => `${name}: ${text}`)
        : `${name}: ${texts.join(' ')}`,
    })
  }
}

const MappingsOf = forEach(
  ['device_type_id', 'module_type_id'],
  (by) => sql<RowNamed<'dcim.porttemplatemapping'>>`
    select m.* from dcim_porttemplatemapping m join dcim_frontporttemplate f on f.id = m.front_port_id
    where f.${by} = ? order by m.id`,
)

function mapPorts(tools: WriteTools, owner: Owner, made: Map<string, Map<number, number>>): void {
  const [fronts, rears] = [made.get('dcim.frontporttemplate'), made.get('dcim.rearporttemplate')]
  if (!fronts || !rears) return
  for (const row of tools.all(MappingsOf[owner.by], owner.type.id as number)) {
    const [front_port_id, rear_port_id] = [fronts.get(row.front_port_id), rears.get(row.rear_port_id)]
    if (!front_port_id || !rear_port_id) continue
    const front = { front_port_id, front_port_position: row.front_port_position }
    const rear = { rear_port_id, rear_port_position: row.rear_port_position }
    // Adopted ports keep what they are mapped to.
    if (owner.module?.adopt && (tools.has('dcim.portmapping', front) || tools.has('dcim.portmapping', rear))) continue
    tools.insert('dcim.portmapping', { device_id: owner.device.id as number, ...front, ...rear })
  }
  if (owner.module?.adopt)
    retrace(
      tools,
      [...rears.values()]
        .map((id) => ({ type: 'dcim.rearport', id }))
        .concat([...fronts.values()].map((id) => ({ type: 'dcim.frontport', id }))),
    )
}

function bridge(tools: WriteTools, owner: Owner, interfaces: Map<number, number> | undefined): void {
  if (!interfaces) return
  const bridged = { [owner.by]: owner.type.id as number, bridge_id: { not: null } }
  for (const row of tools.rows('dcim.interfacetemplate', bridged, { only: ['id', 'bridge_id'] })) {
    const [id, to] = [interfaces.get(row.id), interfaces.get(row.bridge_id!)]
    if (id && to) tools.update('dcim.interface', id, { bridge: to })
  }
}
