import { comments, description, json, owned, primary, text } from '../../fields/index.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { model } from '../../declare/model.ts'
import { primaryFeatures } from '../../declare/presets.ts'
import { schemaFault } from '../../rules/schemas.ts'

/** Profiles that a fresh server holds: what is worth knowing of common kinds of module. */
const Initial = [
  {
    name: 'CPU',
    schema: {
      properties: {
        cores: { type: 'integer' },
        speed: { type: 'number', title: 'Speed' },
        architecture: { type: 'string', title: 'Architecture' },
      },
    },
  },
  {
    name: 'Fan',
    schema: {
      properties: {
        rpm: { type: 'integer', title: 'RPM' },
      },
    },
  },
  {
    name: 'GPU',
    schema: {
      required: ['memory'],
      properties: {
        gpu: { type: 'string', title: 'GPU' },
        memory: { type: 'integer', title: 'Memory (GB)' },
        interface: { enum: ['PCIe 4.0', 'PCIe 4.0 x8', 'PCIe 4.0 x16', 'PCIe 5.0 x16'], type: 'string' },
      },
    },
  },
  {
    name: 'Hard disk',
    schema: {
      required: ['size'],
      properties: {
        size: { type: 'integer', title: 'Size (GB)' },
        type: { enum: ['HD', 'SSD', 'NVME'], type: 'string', title: 'Disk type', default: 'SSD' },
        speed: { type: 'integer', title: 'Speed (RPM)' },
      },
    },
  },
  {
    name: 'Memory',
    schema: {
      required: ['class', 'size'],
      properties: {
        ecc: { type: 'boolean', title: 'ECC' },
        size: { type: 'integer', title: 'Size (GB)' },
        class: { enum: ['DDR3', 'DDR4', 'DDR5'], type: 'string', title: 'Memory class', default: 'DDR5' },
        data_rate: { type: 'integer', title: 'Data rate' },
      },
    },
  },
  {
    name: 'Power supply',
    schema: {
      required: ['input_current', 'input_voltage'],
      properties: {
        wattage: { type: 'integer' },
        hot_swappable: { type: 'boolean', title: 'Hot-swappable', default: false },
        input_current: { enum: ['AC', 'DC'], type: 'string', title: 'Current type', default: 'AC' },
        input_voltage: { type: 'integer', title: 'Voltage', default: 120 },
      },
    },
  },
  {
    name: 'Expansion card',
    schema: {
      properties: {
        bandwidth: { type: 'integer' },
        connector_type: { type: 'string' },
      },
    },
  },
]

export const moduleTypeProfile = model(
  'dcim.moduletypeprofile',
  {
    name: text({ unique: true, max: 100 }),
    description,
    schema: json({ nullable: true, check: schemaFault }),
    ...owned,
    comments,
    ...primary,
  },
  {
    path: 'dcim/module-type-profiles',
    label: 'module type profile',
    plural: 'module type profiles',
    objectName: 'ModuleTypeProfile',
    graphql: { filters: '-schema' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: primaryFeatures(),
    search: { text: ['comments', 'name', 'description'] },
    filters: {
      ...primaryFilters,
    },
    initial: Initial,
    pages: {
      columns: 'name description',
      form: { Profile: 'name description schema tags' },
      bulk: 'name description schema',
      panels: { 'Module type profile': 'name description', Schema: 'schema' },
      tables: [['dcim.moduletype', 'profile_id']],
      weights: { name: 100, description: 500, comments: 5000 },
    },
  },
)
