import {
  InterfacePoEModeChoices,
  InterfacePoETypeChoices,
  InterfaceTypeChoices,
  WirelessRoleChoices,
} from '../../choices/dcim.ts'
import { templateOf, templateOptions } from '../../rules/component-fields.ts'
import { checkInterfaceTemplate } from '../../rules/component-templates.ts'
import { boolean, choice, description, ref, stamps, text } from '../../fields/index.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { interfaceNameKey } from '../../lib/interface-name.ts'

export const interfaceTemplate = model(
  'dcim.interfacetemplate',
  {
    ...templateOf('interfacetemplates'),
    name: text({ max: 64, natural: true, keys: { _natural: interfaceNameKey } }),
    label: text({ blank: true, max: 64 }),
    type: choice(InterfaceTypeChoices),
    enabled: boolean({ default: true }),
    mgmt_only: boolean({
      help: 'Used for management alone, not for traffic.',
      label: 'Management only',
      default: false,
    }),
    description,
    bridge: ref('dcim.interfacetemplate', {
      onDelete: 'set null',
      related: 'bridge_interfaces',
      shape: ['id', 'url', 'display', 'name'],
    }),
    poe_mode: choice(InterfacePoEModeChoices, { nullable: true, blank: true }),
    poe_type: choice(InterfacePoETypeChoices, { nullable: true, blank: true }),
    rf_role: choice(WirelessRoleChoices, { nullable: true, blank: true }),
    ...stamps,
  },
  {
    path: 'dcim/interface-templates',
    label: 'interface template',
    plural: 'interface templates',
    objectName: 'InterfaceTemplate',
    graphql: { members: '_name=name_natural', filters: '-module_type_id' },
    ...templateOptions,
    filters: {
      ...changelogFilters,
    },
    pages: {
      form: {
        '': 'device_type module_type name label type enabled mgmt_only description bridge',
        PoE: 'poe_mode poe_type',
        Wireless: 'rf_role',
      },
      within: 'name label enabled type mgmt_only description bridge poe_mode poe_type rf_role',
      series: 'name label',
      bulk: 'label type enabled mgmt_only description poe_mode poe_type rf_role',
      narrow: { device_type_id: 'device_type', module_type_id: 'module_type' },
    },
  },
)

behaviour(interfaceTemplate, {
  validate: (event) => checkInterfaceTemplate(event as never),
})
