import { ModuleStatusChoices } from '../../choices/dcim.ts'
import { checkModule, fillModule } from '../../rules/modules.ts'
import { choice, comments, description, flag, owned, primary, ref, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { primaryFilters, relatedBy, siteFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'

export const moduleModel = model(
  'dcim.module',
  {
    device: ref('dcim.device', { onDelete: 'cascade', related: 'modules' }),
    module_bay: ref('dcim.modulebay', {
      onDelete: 'cascade',
      related: 'installed_module',
      unique: true,
      shape: ['id', 'url', 'display_url', 'display', 'name'],
      filter: false,
    }),
    module_type: ref('dcim.moduletype', { related: 'instances' }),
    status: choice(ModuleStatusChoices, { default: 'active' }),
    serial: text({ blank: true, label: 'Serial number', max: 50, iexact: true }),
    asset_tag: text({ nullable: true, blank: true, unique: true, max: 50 }),
    description,
    ...owned,
    comments,
    ...primary,
    replicate_components: flag({ default: true }),
    adopt_components: flag({ default: false }),
  },
  {
    path: 'dcim/modules',
    label: 'module',
    plural: 'modules',
    objectName: 'Module',
    graphql: {
      members: '-modulebays',
      filters: `
        local_context_data=none:JSONFilter console_ports=consoleports
        console_server_ports=consoleserverports power_outlets=poweroutlets power_ports=powerports
        interfaces front_ports=frontports rear_ports=rearports device_bays=none:DeviceBayFilter
        module_bays=modulebays modules=none:ModuleFilter
      `,
    },
    display: (t, sql) => {
      sql.uses('dcim_modulebay')
      sql.uses('dcim_moduletype')
      return `(select b.name from dcim_modulebay b where b.id = ${t}.module_bay_id) || ': ' || (select y.model
        from dcim_moduletype y where y.id = ${t}.module_type_id) || ' (' || ${t}.id || ')'`
    },
    brief: ['id', 'url', 'display', 'device', 'module_bay', 'module_type', 'description'],
    order: ['module_bay_id'],
    features: primaryFeatures(),
    search: { text: ['comments', 'description', 'asset_tag', 'device.name', 'serial'] },
    filters: {
      ...primaryFilters,
      ...relatedBy('profile', 'dcim.moduletypeprofile', { path: 'module_type.profile', by: 'name' }),
      ...relatedBy('manufacturer', 'dcim.manufacturer', { path: 'module_type.manufacturer' }),
      module_type: relatedFilter('module_type', 'dcim.moduletype', { by: 'model' }),
      module_bay_id: relatedFilter('module_bay', 'dcim.modulebay', { tree: true }),
      ...siteFilters('device.site'),
      ...relatedBy('location', 'dcim.location', { path: 'device.location' }),
      ...relatedBy('rack', 'dcim.rack', { path: 'device.rack', by: 'name' }),
      device: relatedFilter('device', 'dcim.device', { by: 'name' }),
    },
    pages: {
      beside: 'module_bay module_type status serial asset_tag',
      columns: 'device module_bay module_type.manufacturer module_type status serial asset_tag',
      filters: {
        Location: 'region_id site_group_id site_id location_id rack_id device_id',
        Hardware: 'profile_id manufacturer_id module_type_id status serial asset_tag',
      },
      form: {
        Module: 'device module_bay module_type status description tags',
        Hardware: 'serial asset_tag replicate_components adopt_components',
      },
      bulk: 'module_type status serial description',
      panels: {
        Module: 'device device.device_type module_bay status description serial asset_tag',
        'Module type': `
            module_type.manufacturer module_type module_type.part_number module_type.profile module_type.airflow
            module_type.weight module_type.attributes
          `,
      },
      sticker: ['{device} · {module_bay}', '{asset_tag} · {serial}'],
      weights: { asset_tag: 50, serial: 60, description: 500, comments: 5000 },
      narrow: { device_id: 'device' },
    },
  },
)

behaviour(moduleModel, {
  validate: (event) => checkModule(event),
  saved: (event) => fillModule(event),
})
