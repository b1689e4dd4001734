import type { Row } from '../fields/field.ts'
import { type Action, type ActionAnswer, type ActionRequest, invalid, Refused } from '../declare/behaviour.ts'
import { boolean, json, text } from '../fields/index.ts'
import { pythonType } from '../fields/refs.ts'
import { addRelated, namesIn, type Shown } from './template-objects.ts'
import { render, TemplateError } from '../lib/jinja.ts'
import { isObject, textOfJson } from '../lib/json.ts'

/** Parameters of a Jinja environment that a template may set: what only holds data, not what names code. */
const Parameters: Readonly<Record<string, 'text' | 'flag' | 'number'>> = {
  block_start_string: 'text',
  block_end_string: 'text',
  variable_start_string: 'text',
  variable_end_string: 'text',
  comment_start_string: 'text',
  comment_end_string: 'text',
  line_statement_prefix: 'text',
  line_comment_prefix: 'text',
  newline_sequence: 'text',
  undefined: 'text',
  trim_blocks: 'flag',
  lstrip_blocks: 'flag',
  keep_trailing_newline: 'flag',
  optimized: 'flag',
  autoescape: 'flag',
  auto_reload: 'flag',
  enable_async: 'flag',
  cache_size: 'number',
}
const kinds = { text: 'string', flag: 'boolean', number: 'number' }

/** What is wrong with the environment parameters of a template. */
export function checkEnvironment(params: unknown): string | undefined {
  if (!isObject(params)) return 'Environment parameters must be an object.'
  for (const [name, value] of Object.entries(params)) {
    const kind = Object.hasOwn(Parameters, name) ? Parameters[name] : undefined
    if (!kind) return `Unsupported environment parameter: ${name}`
    if (value !== null && typeof value !== kinds[kind])
      return `The environment parameter ${name} must be a ${kinds[kind]}.`
  }
  return undefined
}

/** A template of text, and the file that it is downloaded as. */
export const templateFields = {
  environment_params: json({
    help: 'Settings of the template engine, such as trim_blocks, as a JSON object.',
    nullable: true,
    label: 'Environment parameters',
    default: {},
    check: checkEnvironment,
  }),
  template_code: text({ filter: false, lines: 'code', filledBy: 'data_file' }),
  mime_type: text({
    help: 'Type of the text that comes of it; plain text where none is given.',
    blank: true,
    label: 'MIME type',
    max: 50,
  }),
  file_name: text({ help: 'Name of the file that is downloaded.', blank: true, max: 200 }),
  file_extension: text({ help: 'Put behind the name of the file that is downloaded.', blank: true, max: 15 }),
  as_attachment: boolean({ help: 'Browsers save the text as a file instead of showing it.', default: true }),
}

/**
 * Renders the code of a stored template for a user; `objects` names the variables that are objects of the API. Throws
 * `Refused` with what is wrong with it.
 */
export async function renderTemplate(
  template: Row,
  context: string,
  objects: readonly string[],
  userId: number | null,
): Promise<string> {
  const params = (
    typeof template.environment_params === 'string' ? JSON.parse(template.environment_params) : null
  ) as Record<string, unknown> | null
  try {
    return await render(
      { source: String(template.template_code), context, objects, params: params ?? {} },
      `user ${userId}`,
    )
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const [first] = error.message.split('\n')
    const why = template.debug === 1 ? error.message : first
    throw new Refused(400, { detail: `The template ${String(template.name)} could not be rendered: ${why}` })
  }
}

const contextOf = (body: unknown): Record<string, unknown> => {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(body)}.`] })
  return body as Record<string, unknown>
}

async function answer(
  { tools, wantsText }: ActionRequest,
  template: Row,
  context: object,
  objects: readonly string[],
): Promise<ActionAnswer> {
  // Read before the transaction is over.
  const [shown] = tools.render('extras.configtemplate', [template.id as number], 'nested')
  const content = await renderTemplate(template, JSON.stringify(context), objects, tools.user.id)
  return wantsText
    ? { status: 200, text: content, type: 'text/plain; charset=utf-8' }
    : { status: 200, text: `{"configtemplate":${shown},"content":${JSON.stringify(content)}}` }
}

const schema = {
  type: 'object',
  properties: { configtemplate: { '~nested': 'extras.configtemplate' }, content: { type: 'string' } },
}

/** Besides JSON the rendered text alone may be asked for. */
const Text = ['text/plain']

/** POST `render`: the body is the context. */
export const renderAction: Action = {
  post: {
    permission: 'render',
    unseen: true,
    schema,
    types: Text,
    body: { type: 'object', additionalProperties: {} },
    run: (request) =>
      answer(request, request.tools.row('extras.configtemplate', request.id)!, contextOf(request.body), []),
  },
}

/**
 * POST `render-config` of devices and virtual machines: their context data, then the body's, then the object itself as
 * `as`.
 */
type Configured = 'dcim.device' | 'virtualization.virtualmachine'

export function renderConfigAction(model: Configured, as: string): Action {
  return {
    post: {
      permission: 'render_config',
      unseen: true,
      schema,
      types: Text,
      body: { type: 'object', properties: { config_template_id: { type: 'integer' } }, additionalProperties: {} },
      run: (request) => {
        const { config_template_id: chosen, ...extra } = contextOf(request.body)
        const template = templateFor(request, model, chosen)
        const object = JSON.parse(request.tools.render(model, [request.id])[0]!) as Shown & {
          config_context: object | null
        }
        addRelated(request.tools, request.tools.model(model), [object], namesIn(String(template.template_code)))
        return answer(request, template, { ...object.config_context, ...extra, [as]: object }, [as])
      },
    },
  }
}

/** The template asked for, or that of the object, its role or its platform. */
function templateFor({ id, tools }: ActionRequest, model: Configured, chosen: unknown): Row {
  const none = (error: string) => new Refused(400, { error })
  if (chosen !== undefined && chosen !== null) {
    const asked = /^\d{1,15}$/.test(textOfJson(chosen)) ? Number(chosen) : 0
    const template = tools.mayOn('view', 'extras.configtemplate', asked)
      ? tools.row('extras.configtemplate', asked)
      : undefined
    if (!template) throw none('There is no config template of this id.')
    return template
  }
  const row = tools.row(model, id)!
  const role = row.role_id === null ? undefined : tools.row('dcim.devicerole', row.role_id)
  const platform = row.platform_id === null ? undefined : tools.row('dcim.platform', row.platform_id)
  const found = row.config_template_id ?? role?.config_template_id ?? platform?.config_template_id ?? null
  const template = found === null ? undefined : tools.row('extras.configtemplate', found)
  if (!template) throw none('There is no config template for this object.')
  return template
}
