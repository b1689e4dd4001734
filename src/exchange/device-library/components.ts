import type { WriteTools } from '../../declare/behaviour.ts'
import { Refused } from '../../declare/behaviour.ts'
import { refusalText } from '../../lib/refusal-text.ts'
import { BadDefinition, type Definition } from './files.ts'

/** The device or module type that components belong to: the member that names it, and its id. */
export interface Owner {
  by: 'device_type' | 'module_type'
  id: number
}

interface Making {
  tools: WriteTools
  owner: Owner
  definition: Definition
  makerId: (name: string) => number /** Ids of what was made, by kind and name. */
  made: Map<string, Map<string, number>>
}
type Entry = Record<string, unknown>

/** Kinds of component in the order in which they can be made: one that is named by another comes first. */
const Kinds: readonly [key: string, model: string, more?: (entry: Entry, making: Making) => Entry][] = [
  ['console-ports', 'dcim.consoleporttemplate'],
  ['console-server-ports', 'dcim.consoleserverporttemplate'],
  ['power-ports', 'dcim.powerporttemplate'],
  [
    'power-outlets',
    'dcim.poweroutlettemplate',
    (entry, making) => ({ power_port: named(making, 'power-ports', entry.power_port) }),
  ],
  ['interfaces', 'dcim.interfacetemplate', () => ({ bridge: undefined })],
  ['rear-ports', 'dcim.rearporttemplate'],
  ['front-ports', 'dcim.frontporttemplate', mapped],
  ['module-bays', 'dcim.modulebaytemplate'],
  ['device-bays', 'dcim.devicebaytemplate'],
  [
    'inventory-items',
    'dcim.inventoryitemtemplate',
    (entry, making) => ({
      manufacturer: entry.manufacturer ? making.makerId(String(entry.manufacturer)) : undefined,
      parent: named(making, 'inventory-items', entry.parent),
      role: entry.role ? { name: entry.role } : undefined,
    }),
  ],
]

/** Keys of a definition that name components, with hyphens. */
export const componentKeys: ReadonlySet<string> = new Set([...Kinds.map(([key]) => key), 'port-mappings'])

/** Makes the component templates of a definition. Throws `BadDefinition` that names the one that is wrong. */
export function makeComponents(
  tools: WriteTools,
  owner: Owner,
  definition: Definition,
  makerId: (name: string) => number,
): void {
  const making: Making = { tools, owner, definition, makerId, made: new Map() }
  for (const [key, model, more] of Kinds) {
    const made = new Map<string, number>()
    making.made.set(key, made)
    for (const [i, entry] of listOf(definition, key).entries()) {
      made.set(
        String(entry.name),
        naming(`${key} ${i + 1} (${String(entry.name)})`, () =>
          tools.create(model, { ...entry, [owner.by]: owner.id, ...more?.(entry, making) }),
        ),
      )
    }
  }
  for (const entry of listOf(definition, 'interfaces')) {
    if (!entry.bridge) continue
    naming(`interfaces (${String(entry.name)})`, () =>
      tools.update('dcim.interfacetemplate', making.made.get('interfaces')!.get(String(entry.name))!, {
        bridge: named(making, 'interfaces', entry.bridge),
      }),
    )
  }
}

function listOf(definition: Definition, key: string): Entry[] {
  const list = definition[key] ?? definition[key.replaceAll('-', '_')] ?? []
  if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'object' || entry === null))
    throw new BadDefinition(`${key} is not a list of mappings`)
  return list as Entry[]
}

/** Id of a component that another names. */
function named({ made }: Making, key: string, name: unknown): number | undefined {
  if (name === undefined || name === null || name === '') return undefined
  const id = made.get(key)?.get(String(name))
  if (id === undefined) throw new BadDefinition(`${key} has no ${String(name)}`)
  return id
}

/** The rear ports behind a front port: the one it names, a list of its own, or the definition's list of mappings. */
function mapped(entry: Entry, making: Making): Entry {
  const own = entry.rear_port
    ? [{ position: 1, rear_port: entry.rear_port, rear_port_position: entry.rear_port_position }]
    : Array.isArray(entry.rear_ports)
      ? (entry.rear_ports as Entry[])
      : []
  const listed: Entry[] = listOf(making.definition, 'port-mappings')
    .filter((each) => String(each.front_port) === String(entry.name))
    .map((each) => ({ ...each, position: each.front_port_position }))
  return {
    rear_ports: [...own, ...listed].map((each) => ({
      position: each.position ?? 1,
      rear_port: named(making, 'rear-ports', each.rear_port),
      rear_port_position: each.rear_port_position ?? 1,
    })),
  }
}

/** What a rule refuses becomes one line that says where. */
export function naming<T>(where: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refused) throw new BadDefinition(`${where ? `${where}: ` : ''}${refusalText(error.body)}`)
    if (error instanceof BadDefinition) throw new BadDefinition(where ? `${where}: ${error.message}` : error.message)
    throw error
  }
}
