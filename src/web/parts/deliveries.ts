import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import { type Answer, forbidden } from '../../http/request.ts'
import { transact } from '../../http/resource.ts'
import { enqueue, enqueueAgain, webhookOf } from '../../rules/job-queue.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import { now } from '../../lib/datetime.ts'
import type { Page } from '../../store/kept-pages.ts'
import type { Html } from '../cells.ts'
import { csrf, icon, leadTo } from '../frame.ts'
import { objectHref } from '../links.ts'
import { columnsBy, type Row, rowsOf, table } from '../table.ts'
import type { Visit } from '../visit.ts'
import { words } from '../words.ts'
import { toolsOf } from './ends.ts'
import type { SpecialPanel, SpecialTab } from './part.ts'

/** So many deliveries are shown. */
const MaxShown = 50

const isUndelivered = ({ status }: Row): boolean => ['failed', 'errored'].includes((status as { value: string }).value)

/** Jobs that deliver to a webhook, or try it: those of the rules that act through it, and its own. */
function deliveriesOf(visit: Visit, webhook: number, limit: number): Page {
  const { where, values, uses } = conditionOf(visit, modelNamed('core.job'), new URLSearchParams())
  const rules = `select id from extras_eventrule
    where action_object_type = 'extras.webhook' and action_object_id = :webhook`
  return visit.store.reader.page(
    modelNamed('core.job'),
    {
      where: [
        ...where,
        `(t.object_type = 'extras.webhook' and t.object_id = :webhook
          or t.object_type = 'extras.eventrule' and t.object_id in (${rules}))`,
      ],
      values: { ...values, webhook },
      uses: [...uses, 'extras_eventrule'],
    },
    undefined,
    limit,
    0,
  )
}

const again = (visit: Visit, webhook: number, job: number): Html => {
  const at = objectHref(visit, modelNamed('extras.webhook'), webhook, 'deliveries')
  return html`<form method="post" action="${at}">${csrf(visit)}<button name="again" value="${job}"
    aria-label="Send delivery ${job} again">Send again</button></form>`
}

async function sendAgain(visit: Visit, m: AnyModel, webhook: Row, text: string): Promise<Answer> {
  const job = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const mayView = visit.store.reader.mayOn(visit.actor, 'view', modelNamed('core.job'), job) === true
  const isSent =
    mayView &&
    (await transact(visit, () => enqueueAgain(visit.store.rows, job, `webhook:${webhook.id}`, visit.actor.userId)))
  return leadTo(
    visit,
    objectHref(visit, m, webhook.id, 'deliveries'),
    isSent ? 'It is on its way again, as a new delivery.' : 'There is no such delivery that failed.',
    isSent ? 'good' : 'bad',
  )
}

/** What a delivery that failed offers on its own page to who may change the webhook: to send it again. */
export const undelivered: SpecialPanel = {
  of: (m) => m.name === 'core.job',
  side: 'top',
  show: (visit, _m, row) => {
    if (!isUndelivered(row) || !visit.actor.writes) return ''
    const webhook = webhookOf(toolsOf(visit).row('core.job', row.id)?.lane ?? '')
    const mayChange =
      webhook !== undefined &&
      visit.store.reader.mayOn(visit.actor, 'change', modelNamed('extras.webhook'), webhook) === true
    return mayChange ? html`<div class="toolbar">${again(visit, webhook, row.id)}</div>` : ''
  },
}

/** `/extras/webhooks/3/deliveries/`: what was sent by a webhook and how it went, and a button that sends a test. */
export const deliveries: SpecialTab = {
  label: 'Deliveries',
  model: 'core.job',
  count: (visit, _m, row) => deliveriesOf(visit, row.id, 0).count ?? 0,
  body: (visit, m, row) => {
    const jobs = modelNamed('core.job')
    const { ids, count } = deliveriesOf(visit, row.id, MaxShown)
    const columns = columnsBy(jobs, words('created name status completed error'))
    const mayTest = visit.actor.writes && visit.store.reader.mayOn(visit.actor, 'change', m, row.id) === true
    return html`${
      mayTest
        ? html`<form method="post"
          class="toolbar">${csrf(visit)}<button class="primary">${icon(visit, 'up')}Send a test</button></form>
<p>A test is a request like any other, whose event is <code>test</code>. <a href="">Look again</a> after a moment.</p>`
        : ''
    }${
      ids.length
        ? html`${table(visit, jobs, columns, rowsOf(visit, jobs, ids, columns), {
            caption: 'Deliveries',
            href: ({ id }) => objectHref(visit, jobs, id),
            actions: mayTest ? (job) => (isUndelivered(job) ? again(visit, row.id, job.id) : '') : undefined,
          })}${(count ?? 0) > ids.length ? html`<p>The latest ${ids.length} of ${count}.</p>` : ''}`
        : html`<p class="empty">Nothing was sent yet. An event rule says when something is.</p>`
    }`
  },
  post: async (visit, m, row, data) => {
    if (!visit.actor.writes || visit.store.reader.mayOn(visit.actor, 'change', m, row.id) !== true) throw forbidden()
    const wanted = data.all('again')[0]
    if (wanted !== undefined) return sendAgain(visit, m, row, wanted)
    const [model, moment] = [m.name.split('.')[1], now()]
    await transact(visit, () =>
      enqueue(visit.store.rows, {
        lane: `webhook:${row.id}`,
        name: `Test of ${row.display}`,
        object: { type: m.name, id: row.id },
        userId: visit.actor.userId,
        payload: {
          event: 'test',
          timestamp: moment.replace('Z', '+00:00'),
          object_type: m.name,
          model,
          username: visit.actor.username,
          request_id: visit.requestId,
          data: { id: row.id, name: row.display, message: 'This is a test.' },
        },
        data: { event: 'test', object_type: m.name, object_id: row.id, request_id: visit.requestId, webhook: row.id },
      }),
    )
    return leadTo(visit, objectHref(visit, m, row.id, 'deliveries'), 'The test is on its way.')
  },
}
