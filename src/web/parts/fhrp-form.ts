import { invalid, Refused } from '../../declare/behaviour.ts'
import type { WriteTools } from '../../declare/behaviour.ts'
import type { Control } from '../../fields/control.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { askedField } from '../asked-field.ts'
import type { FormData } from '../form-data.ts'
import type { FormField } from '../form-fields.ts'
import { labelAt } from '../words.ts'
import type { SpecialForm } from './forms.ts'

/** The fields of an address that a new group gets at once, by their names in the form, and as the address has them. */
const Asked = { ip_vrf: 'vrf', ip_address: 'address', ip_status: 'status', ip_role: 'role' } as const
/** Roles of addresses by the protocol of the group that has them. */
const Roles: Readonly<Record<string, string>> = {
  vrrp2: 'vrrp',
  vrrp3: 'vrrp',
  glbp: 'glbp',
  hsrp: 'hsrp',
  carp: 'carp',
  clusterxl: 'vip',
  other: 'vip',
}
const one = (data: FormData, name: string): string => data.all(name).findLast(Boolean) ?? ''

function field(name: keyof typeof Asked): FormField {
  const m = modelNamed('ipam.ipaddress')
  const member = Asked[name]
  const control: Control = m.fields[member].control(member)
  return askedField({
    name,
    label: labelAt(m, member),
    help: name === 'ip_role' ? 'Left open, that of the protocol.' : undefined,
    control,
    texts: () => (name === 'ip_status' ? ['active'] : []),
  })
}

/** The form of a new FHRP group asks for its virtual address as well. */
export const fhrpForm: SpecialForm = {
  groups: (visit, groups) =>
    visit.path.endsWith('/add/')
      ? [
          ...groups.slice(0, 2),
          { title: 'Virtual IP address', fields: (Object.keys(Asked) as (keyof typeof Asked)[]).map(field) },
          ...groups.slice(2),
        ]
      : [...groups],
  saved: (tools, id, data, visit) => {
    const address = one(data, 'ip_address').trim()
    if (!address || !visit.path.endsWith('/add/')) return
    if (!tools.may('add', 'ipam.ipaddress')) throw invalid({ ip_address: ['You may not add addresses.'] })
    const vrf = one(data, 'ip_vrf')
    const body = {
      address,
      vrf: vrf === '' ? null : /^\d{1,15}$/.test(vrf) ? Number(vrf) : { name: vrf },
      status: one(data, 'ip_status') || 'active',
      role: one(data, 'ip_role') || (Roles[one(data, 'protocol')] ?? ''),
      assigned_object_type: 'ipam.fhrpgroup',
      assigned_object_id: id,
    }
    const made = created(tools, body)
    if (!tools.mayOn('add', 'ipam.ipaddress', made)) throw invalid({ ip_address: ['You may not add such an address.'] })
  },
}

/** Makes the address; what is wrong with it stands under the names of the form. */
function created(tools: WriteTools, body: object): number {
  try {
    return tools.create('ipam.ipaddress', body)
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error
    const names = new Map<string, string>(Object.entries(Asked).map(([name, member]) => [member, name]))
    throw invalid(
      Object.fromEntries(
        Object.entries(error.body as object).map(([key, text]) => [names.get(key) ?? 'ip_address', text]),
      ),
    )
  }
}
