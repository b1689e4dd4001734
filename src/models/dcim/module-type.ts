import { checkAttributes, moduleAttributes } from '../../rules/module-attributes.ts'
import { grams, weightFields } from '../../rules/measured-fields.ts'
import { weigh } from '../../rules/units.ts'
import { ModuleAirflowChoices } from '../../choices/dcim.ts'
import { choice, comments, counter, description, owned, primary, ref, text } from '../../fields/index.ts'
import { hasFilter } from '../../filters/boolean.ts'
import { attributeFilter } from '../../filters/attributes.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { told } from '../../rules/import-columns.ts'
import { jsonTexts } from '../../fields/texts.ts'

export const moduleType = model(
  'dcim.moduletype',
  {
    profile: ref('dcim.moduletypeprofile', { nullable: true, related: 'module_types' }),
    manufacturer: ref('dcim.manufacturer', { related: 'module_types' }),
    model: text({ max: 100 }),
    part_number: text({
      help: 'The number under which the manufacturer sells it, where it is not the model.',
      blank: true,
      max: 50,
    }),
    airflow: choice(ModuleAirflowChoices, { nullable: true, blank: true, single: true }),
    ...weightFields,
    description,
    attributes: moduleAttributes,
    ...owned,
    comments,
    ...primary,
    module_count: counter('dcim.module', 'module_type'),
    console_port_template_count: counter('dcim.consoleporttemplate', 'module_type'),
    console_server_port_template_count: counter('dcim.consoleserverporttemplate', 'module_type'),
    power_port_template_count: counter('dcim.powerporttemplate', 'module_type'),
    power_outlet_template_count: counter('dcim.poweroutlettemplate', 'module_type'),
    interface_template_count: counter('dcim.interfacetemplate', 'module_type'),
    front_port_template_count: counter('dcim.frontporttemplate', 'module_type'),
    rear_port_template_count: counter('dcim.rearporttemplate', 'module_type'),
    module_bay_template_count: counter('dcim.modulebaytemplate', 'module_type'),
    _abs_weight: grams,
  },
  {
    path: 'dcim/module-types',
    label: 'module type',
    plural: 'module types',
    objectName: 'ModuleType',
    graphql: {
      members: 'attribute_data=attributes -image_attachments -attributes -modulebaytemplates -port_mappings',
      filters: `
        weight:FloatFilterLookup instances console_port_templates=consoleporttemplates
        console_server_port_templates=consoleserverporttemplates power_port_templates=powerporttemplates
        power_outlet_templates=poweroutlettemplates interface_templates=interfacetemplates
        front_port_templates=frontporttemplates rear_port_templates=rearporttemplates
        device_bay_templates=none:DeviceBayTemplateFilter module_bay_templates=modulebaytemplates
        module_count:IntComparisonFilterLookup -attributes -console_port_template_count
        -console_server_port_template_count -power_port_template_count -power_outlet_template_count
        -interface_template_count -front_port_template_count -rear_port_template_count
        -module_bay_template_count
      `,
    },
    display: 'model',
    brief: ['id', 'url', 'display', 'profile', 'manufacturer', 'model', 'description', 'module_count'],
    order: ['profile', 'manufacturer', 'model'],
    unique: [{ fields: ['manufacturer', 'model'] }],
    features: primaryFeatures('image_attachments'),
    search: { text: ['comments', 'description', 'part_number', 'manufacturer.name', 'model'] },
    openFilter: attributeFilter('attr_', 'attributes'),
    filters: {
      pass_through_ports: hasFilter('frontporttemplates', 'rearporttemplates'),
      ...primaryFilters,
      profile: relatedFilter('profile', 'dcim.moduletypeprofile', { by: 'name' }),
      manufacturer: relatedFilter('manufacturer', 'dcim.manufacturer', { by: 'slug' }),
      console_ports: hasFilter('consoleporttemplates'),
      console_server_ports: hasFilter('consoleserverporttemplates'),
      power_ports: hasFilter('powerporttemplates'),
      power_outlets: hasFilter('poweroutlettemplates'),
      interfaces: hasFilter('interfacetemplates'),
      module_bays: hasFilter('modulebaytemplates'),
    },
    pages: {
      named: 'model',
      beside: 'profile manufacturer',
      labels: { model: 'Model name' },
      columns: 'model profile manufacturer part_number module_count',
      filters: {
        Hardware: 'profile_id manufacturer_id part_number module_count airflow',
        Components:
          'console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports module_bays',
        Weight: 'weight weight_unit',
      },
      form: { '': 'profile manufacturer model part_number description airflow weight weight_unit tags' },
      bulk: 'profile manufacturer part_number description airflow weight weight_unit',
      panels: {
        'Module type': 'profile manufacturer model part_number description airflow weight',
        Attributes: 'attributes',
      },
      tabs: {
        interfaces: ['dcim.interfacetemplate', 'module_type_id'],
        frontports: ['dcim.frontporttemplate', 'module_type_id'],
        rearports: ['dcim.rearporttemplate', 'module_type_id'],
        consoleports: ['dcim.consoleporttemplate', 'module_type_id'],
        consoleserverports: ['dcim.consoleserverporttemplate', 'module_type_id'],
        powerports: ['dcim.powerporttemplate', 'module_type_id'],
        poweroutlets: ['dcim.poweroutlettemplate', 'module_type_id'],
        modulebays: ['dcim.modulebaytemplate', 'module_type_id'],
      },
      weights: { model: 100, part_number: 200, description: 500, comments: 5000 },
      narrow: { manufacturer_id: 'manufacturer' },
    },
  },
)

behaviour(moduleType, {
  prepare: (event) => {
    weigh(event)
    checkAttributes(event)
  },
})

behaviour(moduleType, {
  importColumns: {
    columns: { attribute_data: 'text' },
    read: ({ attribute_data: text }) => ({
      attributes: told('attribute_data', () => jsonTexts.fromText(String(text))),
    }),
  },
})
