import { JobNotificationChoices, JobStatusChoices } from '../../choices/core.ts'
import { webhookOf } from '../../rules/job-queue.ts'
import { choice, datetime, generic, integer, json, listOf, ref, text } from '../../fields/index.ts'
import { typeIdFilter } from '../../filters/content-type.ts'
import { dateFilter } from '../../filters/number.ts'
import { relatedFilter } from '../../filters/related.ts'
import { stringFilter, uuidFilter } from '../../filters/string.ts'
import { Refused } from '../../declare/behaviour.ts'
import { behaviour, model } from '../../declare/model.ts'

export const job = model(
  'core.job',
  {
    object: generic('feature:all', { readOnly: true, nullable: true, related: 'jobs' }),
    name: text({ max: 200 }),
    status: choice(JobStatusChoices, { readOnly: true, default: 'pending' }),
    created: datetime({ readOnly: true, filter: false }),
    scheduled: datetime({ nullable: true, filter: false }),
    interval: integer({ unit: 'minutes', nullable: true, min: 1, max: 2147483647 }),
    started: datetime({ nullable: true, filter: false }),
    completed: datetime({ nullable: true, filter: false }),
    user: ref('users.user', { readOnly: true, onDelete: 'set null', related: false }),
    data: json({ nullable: true }),
    error: text({ readOnly: true, filter: false }),
    job_id: text({ unique: true, filter: false }),
    queue_name: text({ blank: true, max: 100, filter: false }),
    notifications: choice(JobNotificationChoices, { readOnly: true, default: 'always' }),
    log_entries: listOf((value) => ({ value }), { default: [], filter: false, items: { type: 'object' } }),
    /** Jobs of a lane run one after the other; its first word says what they do. Empty: not run by this server. */
    lane: text({ hidden: true, blank: true }),
    /** What the job works on; not for readers of jobs, who need not be readers of objects. */
    payload: json({ hidden: true, nullable: true, secret: true }),
    /** What the receiver of a webhook answered last: some kilobytes, for who may view the webhook. */
    response: text({ hidden: true, blank: true, secret: true }),
    attempts: integer({ hidden: true, default: 0 }),
  },
  {
    path: 'core/jobs',
    label: 'job',
    plural: 'jobs',
    objectName: 'Job',
    graphql: false,
    display: 'name',
    brief: ['url', 'status', 'created', 'completed', 'user'],
    order: ['-created'],
    methods: ['GET'],
    changeLogged: false,
    past: false,
    search: { text: ['user.username', 'name'] },
    filters: {
      object_type_id: typeIdFilter('object_type'),
      job_id: uuidFilter('job_id'),
      queue_name: stringFilter('queue_name', { single: true }),
      user: relatedFilter('user', 'users.user', { by: 'username' }),
      created: dateFilter('created', 'datetime', { lookups: [], single: true }),
      created__before: dateFilter('created', 'datetime', { lookups: [], single: true, comparison: '<=' }),
      created__after: dateFilter('created', 'datetime', { lookups: [], single: true, comparison: '>=' }),
      scheduled: dateFilter('scheduled', 'datetime', { lookups: [], single: true }),
      scheduled__before: dateFilter('scheduled', 'datetime', { lookups: [], single: true, comparison: '<=' }),
      scheduled__after: dateFilter('scheduled', 'datetime', { lookups: [], single: true, comparison: '>=' }),
      started: dateFilter('started', 'datetime', { lookups: [], single: true }),
      started__before: dateFilter('started', 'datetime', { lookups: [], single: true, comparison: '<=' }),
      started__after: dateFilter('started', 'datetime', { lookups: [], single: true, comparison: '>=' }),
      completed: dateFilter('completed', 'datetime', { lookups: [], single: true }),
      completed__before: dateFilter('completed', 'datetime', { lookups: [], single: true, comparison: '<=' }),
      completed__after: dateFilter('completed', 'datetime', { lookups: [], single: true, comparison: '>=' }),
    },
    pages: {
      labels: { user: 'Created by', queue_name: 'Queue' },
      columns: 'object name status created started completed user',
      filters: {
        Attributes: 'object_type_id status queue_name',
        Creation: `
            created__before created__after scheduled__before scheduled__after started__before started__after
            completed__before completed__after user
          `,
      },
      panels: {
        Job: 'object object_type name status error user',
        Scheduling: 'created scheduled started completed queue_name',
        Data: 'data',
      },
      tabs: { log: true },
    },
  },
)

behaviour(job, {
  actions: {
    response: {
      get: {
        permission: 'view',
        of: 'extras.webhook',
        schema: {
          type: 'object',
          properties: {
            status: { type: ['integer', 'null'], description: 'HTTP status of the last answer; null without one.' },
            body: { type: 'string', description: 'The first 4,096 bytes of its body.' },
          },
        },
        run: ({ id, tools }) => {
          const { lane, data, response } = tools.row('core.job', id)!
          const webhook = webhookOf(lane)
          const isThere = webhook !== undefined && tools.row('extras.webhook', webhook) !== undefined
          const mayView = isThere
            ? tools.mayOn('view', 'extras.webhook', webhook)
            : tools.constraints('view', 'extras.webhook').includes(null)
          if (webhook !== undefined && !mayView) throw new Refused(404, { detail: 'Not found.' })
          const { response: status = null } = JSON.parse(data ?? '{}') as { response?: number | null }
          return { status: 200, json: { status, body: response } }
        },
      },
    },
  },
})
