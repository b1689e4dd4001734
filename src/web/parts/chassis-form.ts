import { invalid, Refused, type WriteTools } from '../../declare/behaviour.ts'
import { askedField } from '../asked-field.ts'
import type { FormData } from '../form-data.ts'
import type { SpecialForm } from './forms.ts'

const members = askedField({
  name: 'members',
  label: 'Members',
  help: 'Devices that are in no virtual chassis yet, in the order of their positions.',
  control: { as: 'pick', model: 'dcim.device', multiple: true },
  narrow: { virtual_chassis_id: '=null' },
})
const position = askedField({
  name: 'initial_position',
  label: 'Initial position',
  help: 'Of the first of them; those that are taken are left out.',
  control: { as: 'line', type: 'number' },
  texts: () => ['1'],
})

/** The form of a new virtual chassis asks for its members as well. */
export const chassisForm: SpecialForm = {
  groups: (visit, groups) =>
    visit.path.endsWith('/add/')
      ? [...groups.slice(0, 1), { title: 'Member devices', fields: [members, position] }, ...groups.slice(1)]
      : [...groups],
  saved: (tools, id, data, visit) => {
    if (visit.path.endsWith('/add/')) join(tools, id, data)
  },
}

/** Makes the devices that the form names members, each at the next position that is free. */
function join(tools: WriteTools, chassis: number, data: FormData): void {
  const named = [...new Set(data.all('members').filter(Boolean))]
  if (named.length === 0) return
  const first = data.all('initial_position')[0]?.trim() ?? ''
  if (!/^\d{1,9}$/.test(first)) throw invalid({ initial_position: ['A number is required.'] })
  const taken = new Set(tools.rows('dcim.device', { virtual_chassis_id: chassis }).map((row) => row.vc_position))
  let next = Number(first)
  for (const text of named) {
    while (taken.has(next)) next++
    add(tools, chassis, text, next++)
  }
}

/** Throws `Refused` where the device may not become a member, by the names of the form's fields. */
function add(tools: WriteTools, chassis: number, text: string, vc_position: number): void {
  const isId = /^\d{1,15}$/.test(text)
  const device = isId ? tools.row('dcim.device', Number(text)) : tools.first('dcim.device', { name: text })
  const may = (action: string) => device !== undefined && tools.mayOn(action, 'dcim.device', device.id)
  if (!device || !may('view')) throw invalid({ members: [`There is no device ${text}.`] })
  const name = tools.display('dcim.device', device.id)
  const refuse = (why: string) => invalid({ members: [`${name}: ${why}`] })
  if (device.virtual_chassis_id === chassis) return
  if (device.virtual_chassis_id !== null) throw refuse('it is a member of another virtual chassis.')
  if (!may('change')) throw refuse('you may not change it.')
  try {
    tools.update('dcim.device', device.id, { virtual_chassis: chassis, vc_position })
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error
    const [key, why] = Object.entries(error.body as object)[0] ?? ['', '']
    throw key === 'vc_position' ? invalid({ initial_position: [why].flat() }) : refuse([why].flat().join(' '))
  }
  if (!may('change')) throw refuse('you may not change it so.')
}
