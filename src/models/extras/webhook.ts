import { WebhookHttpMethodChoices } from '../../choices/extras.ts'
import { boolean, choice, customFields, description, owned, stamps, tags, text } from '../../fields/index.ts'
import { anyOf } from '../../filters/filter.ts'
import { methodFilter } from '../../filters/method.ts'
import { primaryFilters } from '../../filters/shared.ts'
import { textCondition } from '../../filters/string.ts'
import { behaviour, model } from '../../declare/model.ts'

export const webhook = model(
  'extras.webhook',
  {
    name: text({ unique: true, max: 150 }),
    description,
    payload_url: text({
      help: 'Where requests are sent; may be a Jinja2 template.',
      label: 'URL',
      max: 500,
      filter: false,
    }),
    http_method: choice(WebhookHttpMethodChoices, { label: 'HTTP method', default: 'POST', raw: true }),
    http_content_type: text({ label: 'HTTP content type', max: 100, default: 'application/json' }),
    additional_headers: text({
      help: 'Lines of a name, a colon and a value; may be a Jinja2 template.',
      blank: true,
      filter: false,
      secret: true,
      lines: 'code',
    }),
    body_template: text({
      help: 'Jinja2 template of the body; without one, the event is sent as JSON.',
      blank: true,
      filter: false,
      lines: 'code',
    }),
    secret: text({
      covered: true,
      help: 'Signs the body with HMAC-SHA512, in the header X-Hook-Signature.',
      blank: true,
      max: 255,
      secret: true,
    }),
    ssl_verification: boolean({
      help: 'Refuses receivers whose certificate cannot be checked.',
      label: 'SSL verification',
      default: true,
    }),
    ca_file_path: text({
      help: 'File on the server with certificates to trust instead of the usual ones.',
      nullable: true,
      blank: true,
      label: 'CA File Path',
      max: 4096,
    }),
    custom_fields: customFields(),
    ...owned,
    tags: tags(),
    ...stamps,
  },
  {
    path: 'extras/webhooks',
    label: 'webhook',
    plural: 'webhooks',
    objectName: 'Webhook',
    graphql: { filters: 'events' },
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    order: ['name'],
    features: ['change_logging', 'custom_fields', 'custom_validation', 'event_rules', 'export_templates', 'tags'],
    search: { text: ['payload_url', 'name', 'description'] },
    filters: {
      ...primaryFilters,
      payload_url: methodFilter((values, c) =>
        anyOf(values.map((value) => c.at('payload_url', (e, place) => textCondition('ic', e, place, value, c)))),
      ),
    },
    pages: {
      columns: 'name http_method payload_url description',
      filters: { Attributes: 'payload_url http_method http_content_type' },
      form: {
        Webhook: 'name description tags',
        'HTTP request': 'payload_url http_method http_content_type additional_headers body_template secret',
        SSL: 'ssl_verification ca_file_path',
      },
      tabs: { deliveries: true },
      bulk: 'description http_method payload_url ssl_verification secret ca_file_path',
      panels: {
        Webhook: 'name description',
        'HTTP request': 'http_method payload_url http_content_type',
        SSL: 'ssl_verification ca_file_path',
        'Body template': 'body_template',
      },
      weights: { name: 100, description: 500 },
    },
  },
)

behaviour(webhook, {
  validate: ({ row, errors }) => {
    if (!isAddress(row.payload_url)) errors.payload_url = ['Enter an http or https URL, or a template of one.']
    if (!row.ssl_verification && row.ca_file_path)
      errors.ca_file_path = ['A CA file is of no use when SSL verification is off.']
  },
})

/** A template can only be judged when it is rendered. */
const isAddress = (text: string): boolean =>
  /\{[{%]/.test(text) || (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text))
