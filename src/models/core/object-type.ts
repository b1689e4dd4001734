import { boolean, computed, listOf, text } from '../../fields/index.ts'
import { methodFilter } from '../../filters/method.ts'
import { type AnyModel, model } from '../../declare/model.ts'

/**
 * SQL that looks a text up by the row's "app.model"; rows come from the declarations, so their names are known at
 * start.
 */
const byName = (t: string, models: readonly AnyModel[], text: (m: AnyModel) => string) =>
  `case ${t}.app_label || '.' || ${t}.model ${models.map((m) => `when '${m.name}' then '${text(m)}'`).join(' ')} end`
const withEndpoint = (models: readonly AnyModel[]) => models.filter((m) => !m.internal)
const capital = (text: string) => text.replace(/\b[a-z]/g, (c) => c.toUpperCase())
const appName = (t: string) =>
  `case ${t}.app_label when 'dcim' then 'DCIM' when 'ipam' then 'IPAM' when 'vpn' then 'VPN'
    else upper(substr(${t}.app_label, 1, 1)) || substr(${t}.app_label, 2) end`
const name = { type: 'string', nullable: true }

export const objectType = model(
  'core.objecttype',
  {
    app_label: text({ max: 100 }),
    app_name: computed(appName, { schema: name }),
    model: text({ max: 100 }),
    model_name: computed((t, { models }) => byName(t, models, (m) => m.label), { schema: name }),
    model_name_plural: computed((t, { models }) => byName(t, models, (m) => m.plural), { schema: name }),
    public: boolean({ readOnly: true }),
    features: listOf((value) => ({ value }), { readOnly: true, filter: false }),
    is_plugin_model: computed(() => "json('false')", { schema: { type: 'boolean' } }),
    rest_api_endpoint: computed((t, { models }) => byName(t, withEndpoint(models), (m) => `/api/${m.path}/`), {
      schema: name,
    }),
    description: computed(
      (t, { models }) => byName(t, withEndpoint(models), (m) => `${capital(m.plural)} of this inventory.`),
      {
        schema: name,
      },
    ),
  },
  {
    path: 'core/object-types',
    label: 'object type',
    plural: 'object types',
    objectName: 'ObjectType',
    graphql: false,
    display: (t, { models }) => `${appName(t)} || ' > ' || ${byName(t, models, (m) => capital(m.label))}`,
    brief: [
      'id',
      'url',
      'display',
      'app_label',
      'app_name',
      'model',
      'model_name',
      'model_name_plural',
      'public',
      'features',
      'is_plugin_model',
      'rest_api_endpoint',
      'description',
    ],
    order: ['app_label', 'model'],
    methods: ['GET'],
    open: true,
    changeLogged: false,
    past: false,
    displayUrl: false,
    filters: {
      features: methodFilter(
        ([value], c) => `exists (select 1 from json_each(${c.t}.features) where value = ${c.bind(value!)})`,
        { single: true },
      ),
    },
    search: { text: ['app_label', 'model'] },
  },
)
