import { answer, body, type Json, query } from './schema-parts.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const whole = { type: 'integer' }
const flag = { type: 'boolean', default: false }

/** The moment that a read is about; in full wherever it stands, as clients read names and follow no reference. */
export const At: Json = {
  ...query('at', text),
  description:
    'Shows what was: a moment (2026-11-01T12:00:00Z), a duration before now (-7d; s, m, h, d, w), ' +
    'the id of a request, after which it was, or before- and that id. Answers name it in the header Shown-At.',
}

const change = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['create', 'update', 'delete'] },
    changed_object_type: text,
    changed_object_id: whole,
    object_repr: text,
    fields: {
      type: 'object',
      description: 'Of each field its value before and after.',
      additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
    },
  },
}
const collision = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['changed', 'deleted', 'taken', 'missing', 'referenced', 'refused'] },
    object_type: text,
    object_id: whole,
    object: text,
    field: { ...text, nullable: true },
    wanted: { description: 'What the field would become.', nullable: true },
    left: { description: 'What the change that is taken back made of it.', nullable: true },
    now: { description: 'What it is now.', nullable: true },
    detail: text,
  },
}
const wish = {
  type: 'object',
  description: 'One of request_id, id and since says what is taken back.',
  properties: {
    request_id: { oneOf: [text, { type: 'array', items: text, maxItems: 1000 }] },
    id: { ...whole, description: 'A change: what its request did to its object.' },
    since: { ...text, format: 'date-time' },
    user: { ...text, description: 'With since: only what this user did.' },
    model: { ...text, description: 'With since: only objects of this model.' },
    force: { ...texts, description: 'Fields, objects or models that are taken back though others changed them.' },
    leave_out: { ...texts, description: 'Fields, objects or models that stay as they are.' },
    dry_run: { ...flag, description: 'Says only what would be done.' },
    changelog_message: { ...text, maxLength: 200 },
  },
}

/** Undo and the stream of changes, below the list of changes of an application. */
export function historyPaths(
  operation: (tag: string, operationId: string, responses: Json, more?: Json) => Json,
  parameters: readonly Json[],
): Json {
  return Object.fromEntries(
    ['core', 'extras'].flatMap((app) => {
      const id = `${app}_object_changes`
      const done = {
        type: 'object',
        properties: {
          request_id: { ...text, nullable: true },
          dry_run: flag,
          changes: { type: 'array', items: change },
        },
      }
      const refused = {
        type: 'object',
        properties: { detail: text, collisions: { type: 'array', items: collision } },
      }
      const events = {
        description:
          'Server-sent events without end: change (data: the change, as the list shows it; id: its id) ' +
          'and gap (data: the ids between which changes are forgotten).',
        content: { 'text/event-stream': { schema: text } },
      }
      const lastHeard = {
        in: 'header',
        name: 'Last-Event-ID',
        schema: whole,
        description: 'Goes on after this change.',
      }
      return [
        [
          `/api/${app}/object-changes/revert/`,
          {
            post: operation(
              app,
              `${id}_revert_create`,
              { 200: answer(done), 409: { ...answer(refused), description: 'Nothing was done; these collide.' } },
              { description: 'Takes changes back, as a request of its own.', requestBody: body(wish) },
            ),
          },
        ],
        [
          `/api/${app}/object-changes/stream/`,
          {
            get: operation(
              app,
              `${id}_stream_retrieve`,
              { 200: events },
              {
                description: 'Tells of changes as they are made.',
                parameters: [...parameters, lastHeard, query('last_event_id', whole)],
              },
            ),
          },
        ],
      ]
    }),
  )
}
