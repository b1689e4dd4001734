import { modelNamed } from '../registry/catalog.ts'
import { answer, body, failures, type Json, nameOf, query, ref } from './schema-parts.ts'

const text = { type: 'string' }
const board = { type: 'object', properties: { layout: { nullable: true }, config: { nullable: true } } }
const object = { type: 'object', additionalProperties: {} }

/** Paths that belong to no model. */
export function lone(): Json {
  const operation = (tag: string, operationId: string, responses: Json, more: Json = {}): Json => ({
    operationId,
    tags: [tag],
    ...more,
    responses: { ...responses, ...failures },
  })
  const device = ref(nameOf(modelNamed('dcim.device')))
  const token = ref(nameOf(modelNamed('users.token')))
  const preferences = { 200: answer(object) }
  return {
    '/api/status/': { get: operation('status', 'status_retrieve', { 200: answer(object) }) },
    '/api/authentication-check/': {
      get: operation('authentication-check', 'authentication_check_retrieve', {
        200: answer(ref(nameOf(modelNamed('users.user')))),
      }),
    },
    '/api/dcim/connected-device/': {
      get: operation(
        'dcim',
        'dcim_connected_device_retrieve',
        { 200: answer(device) },
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
              expires: { type: 'string', format: 'date-time', nullable: true },
              write_enabled: { type: 'boolean' },
            },
          }),
        },
      ),
    },
  }
}

type Operation = (tag: string, operationId: string, responses: Json, more?: Json) => Json

/** Queues, tasks and workers, and the upload of scripts, which is refused. */
function background(operation: Operation): Json {
  const page = {
    type: 'object',
    required: ['count', 'results'],
    properties: {
      count: { type: 'integer' },
      next: { type: 'string', nullable: true },
      previous: { type: 'string', nullable: true },
      results: { type: 'array', items: object },
    },
  }
  const paths: Json = {}
  for (const [plural, key] of [
    ['queues', 'name'],
    ['tasks', 'id'],
    ['workers', 'name'],
  ] as const) {
    const id = `core_background_${plural}`
    const parameters = [{ in: 'path', name: key, required: true, schema: text }]
    paths[`/api/core/background-${plural}/`] = { get: operation('core', `${id}_list`, { 200: answer(page) }) }
    paths[`/api/core/background-${plural}/{${key}}/`] = {
      parameters,
      get: operation('core', `${id}_retrieve`, { 200: answer(object) }),
    }
    if (plural !== 'tasks') continue
    for (const action of ['delete', 'enqueue', 'requeue', 'stop'])
      paths[`/api/core/background-tasks/{id}/${action}/`] = {
        parameters,
        post: operation('core', `${id}_${action}_create`, { 200: { description: 'Done.' } }),
      }
  }
  const file = {
    requestBody: body({
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    }),
  }
  paths['/api/extras/scripts/{id}/'] = {
    post: operation(
      'extras',
      'extras_scripts_run',
      { 200: answer(object), 503: answer(object, 'No scripts are run here.') },
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
