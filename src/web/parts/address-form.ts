import { invalid } from '../../declare/behaviour.ts'
import { expand } from '../../lib/pattern.ts'
import { writingFor } from '../../http/resource.ts'
import { setStanding, type Standing, standingOf } from '../../rules/addresses.ts'
import { askedField } from '../asked-field.ts'
import type { FormField } from '../form-fields.ts'
import type { Visit } from '../visit.ts'
import type { SpecialForm } from './forms.ts'

/** A box that says what an address is to the device of its interface. */
const box = (visit: Visit, name: string, label: string, of: keyof Standing): FormField =>
  askedField({
    name,
    label,
    control: { as: 'check' },
    texts: (row) => [String(row.id !== undefined && standingOf(writingFor(visit).tools, row.id)[of])],
  })

/** The form of an IP address asks beside its fields whether the device of its interface is to be known by it. */
export const addressForm: SpecialForm = {
  groups: (visit, groups) =>
    groups.map((group) =>
      group.fields.some(({ name }) => name === 'assigned_object')
        ? {
            ...group,
            fields: [
              ...group.fields,
              box(visit, 'primary_for_parent', 'Primary address of the device or VM', 'primary'),
              box(visit, 'oob_for_parent', 'Out-of-band address of the device', 'oob'),
            ],
          }
        : group,
    ),
  saved: (tools, id, data) => {
    const standing = {
      primary: data.all('primary_for_parent').includes('true'),
      oob: data.all('oob_for_parent').includes('true'),
    }
    const isSeries = expand(data.all('address').join()).length > 1
    for (const [name, isAsked] of Object.entries(standing))
      if (isSeries && isAsked) throw invalid({ [`${name}_for_parent`]: ['One address alone can be that.'] })
    setStanding(tools, id, standing)
  },
}
