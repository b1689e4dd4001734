import { allModels, modelNamed } from '../engine/catalog.ts'
import { memberNames } from '../engine/select.ts'
import { answer, body, failures, form, type Json, nameOf, pageOf, query, ref, shown } from './schema-parts.ts'
import { Provisioned } from './provision.ts'

const text = { type: 'string' }
const board = { type: 'object', properties: { layout: { nullable: true }, config: { nullable: true } } }
const object = { type: 'object', additionalProperties: {} }
const moment = { type: 'string', format: 'date-time', nullable: true }
const whole = { type: 'integer' }
const link = { type: 'string', format: 'uri' }
const links = { type: 'object', additionalProperties: link }
const status = {
  type: 'object',
  properties: {
    'django-version': { ...text, nullable: true },
    hostname: text,
    installed_apps: object,
    'netbox-version': text,
    'netbox-full-version': text,
    plugins: object,
    'python-version': { ...text, nullable: true },
    'rq-workers-running': whole,
  },
}
const queue = {
  type: 'object',
  properties: {
    name: text,
    url: link,
    jobs: whole,
    oldest_job_timestamp: text,
    index: whole,
    scheduler_pid: { type: 'integer', nullable: true },
    workers: whole,
    finished_jobs: whole,
    started_jobs: whole,
    deferred_jobs: whole,
    failed_jobs: whole,
    scheduled_jobs: whole,
  },
}

/** An operation of the document. */
export const operationOf = (tag: string, operationId: string, responses: Json, more: Json = {}): Json => ({
  operationId,
  tags: [tag],
  ...more,
  responses: { ...responses, ...failures },
})

/** Paths that belong to no model. */
export function singlePaths(): Json {
  const operation = operationOf
  const device = modelNamed('dcim.device')
  const connected = shown(
    device,
    memberNames(device).filter((name) => name !== 'config_context'),
  )
  const token = shown(modelNamed('users.token'), Provisioned)
  const preferences = { 200: answer(object) }
  return {
    ...roots(operation),
    '/api/schema/': {
      get: operation(
        'schema',
        'schema_retrieve',
        {
          200: {
            description: 'This document.',
            content: {
              'application/vnd.oai.openapi': { schema: text },
              'application/yaml': { schema: text },
              'application/vnd.oai.openapi+json': { schema: object },
              'application/json': { schema: object },
            },
          },
        },
        {
          security: [{}, { tokenAuth: [] }],
          parameters: [query('format', { type: 'string', enum: ['json', 'yaml'] })],
        },
      ),
    },
    '/api/status/': { get: operation('status', 'status_retrieve', { 200: answer(status) }) },
    '/api/authentication-check/': {
      get: operation('authentication-check', 'authentication_check_retrieve', {
        200: answer(ref(nameOf(modelNamed('users.user')))),
      }),
    },
    '/api/dcim/connected-device/': {
      get: operation(
        'dcim',
        'dcim_connected_device_list',
        { 200: answer(connected) },
        { parameters: ['peer_device', 'peer_interface'].map((name) => ({ ...query(name, text), required: true })) },
      ),
    },
    '/api/users/config/': {
      get: operation('users', 'users_config_retrieve', preferences),
      patch: operation('users', 'users_config_partial_update', preferences, { requestBody: body(object) }),
    },
    '/api/extras/dashboard/': {
      get: operation('extras', 'extras_dashboard_retrieve', { 200: answer(board) }),
      put: operation('extras', 'extras_dashboard_update', { 200: answer(board) }, { requestBody: body(board) }),
      patch: operation(
        'extras',
        'extras_dashboard_partial_update',
        { 200: answer(board) },
        { requestBody: body(board) },
      ),
      delete: operation('extras', 'extras_dashboard_destroy', { 204: { description: 'Gone.' } }),
    },
    ...background(operation),
    '/api/users/tokens/provision/': {
      post: operation(
        'users',
        'users_tokens_provision_create',
        { 201: answer(token) },
        {
          security: [{}],
          requestBody: body({
            type: 'object',
            required: ['username', 'password'],
            properties: {
              username: text,
              password: text,
              description: text,
              expires: moment,
              write_enabled: { type: 'boolean' },
            },
          }),
        },
      ),
    },
  }
}

/** The root of the API, those of its applications, and the plugins, of which there are none. */
function roots(operation: Operation): Json {
  const apps = [...new Set(allModels.filter((m) => !m.internal).map((m) => m.path.split('/')[0]!))]
  const all = { '': 'root', ...Object.fromEntries([...apps, 'plugins'].map((app) => [`${app}/`, app])) }
  return {
    ...Object.fromEntries(
      Object.entries(all).map(([path, tag]) => [
        `/api/${path}`,
        { get: operation(tag, `${tag}_root_retrieve`, { 200: answer(links) }) },
      ]),
    ),
    '/api/plugins/installed-plugins/': {
      get: operation('plugins', 'plugins_installed_plugins_list', {
        200: answer({ type: 'array', items: object }),
      }),
    },
  }
}

type Operation = (tag: string, operationId: string, responses: Json, more?: Json) => Json

/** Queues, tasks and workers, and the upload of scripts, which is refused. */
function background(operation: Operation): Json {
  const paths: Json = {}
  for (const [plural, key, one] of [
    ['queues', 'name', queue],
    ['tasks', 'id', object],
    ['workers', 'name', object],
  ] as const) {
    const id = `core_background_${plural}`
    const parameters = [{ in: 'path', name: key, required: true, schema: text }]
    paths[`/api/core/background-${plural}/`] = {
      get: operation('core', `${id}_retrieve`, { 200: answer(pageOf(one)) }),
    }
    paths[`/api/core/background-${plural}/{${key}}/`] = {
      parameters,
      get: operation('core', `${id}_retrieve_by_${key}`, { 200: answer(one) }),
    }
    if (plural !== 'tasks') continue
    for (const action of ['delete', 'enqueue', 'requeue', 'stop'])
      paths[`/api/core/background-tasks/{id}/${action}/`] = {
        parameters,
        post: operation('core', `${id}_${action}_create`, { 200: { description: 'Done.' } }),
      }
  }
  const file = {
    requestBody: form({
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    }),
  }
  paths['/api/extras/scripts/{id}/'] = {
    post: operation(
      'extras',
      'extras_scripts_run',
      { 200: answer(object), 503: { ...answer(object), description: 'No scripts are run here.' } },
      { requestBody: body(object) },
    ),
  }
  const change = (verb: string) => operation('extras', `extras_scripts_upload_${verb}`, { 200: answer(object) }, file)
  paths['/api/extras/scripts/upload/'] = {
    post: operation('extras', 'extras_scripts_upload_create', { 201: answer(object) }, file),
  }
  paths['/api/extras/scripts/upload/{id}/'] = {
    parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
    put: change('update'),
    patch: change('partial_update'),
  }
  return paths
}
