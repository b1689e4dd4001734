import { html } from 'hono/html'
import { deliveriesOf } from '../../http/own.ts'
import { forbidden } from '../../http/request.ts'
import { transact } from '../../http/resource.ts'
import { enqueue } from '../../rules/job-queue.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { now } from '../../lib/datetime.ts'
import { csrf, icon, leadTo } from '../frame.ts'
import { objectHref } from '../links.ts'
import { columnsBy, rowsOf, table } from '../table.ts'
import { words } from '../words.ts'
import type { SpecialTab } from './part.ts'

/** So many deliveries are shown. */
const MaxShown = 50

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
    return html`${mayTest ? html`<form method="post" class="toolbar">${csrf(visit)}<button class="primary">${icon(visit, 'up')}Send a test</button></form><p>A test is a request like any other, whose event is <code>test</code>. <a href="">Look again</a> after a moment.</p>` : ''}${
      ids.length
        ? html`${table(visit, jobs, columns, rowsOf(visit, jobs, ids, columns), {
            caption: 'Deliveries',
            href: ({ id }) => objectHref(visit, jobs, id),
          })}${(count ?? 0) > ids.length ? html`<p>The latest ${ids.length} of ${count}.</p>` : ''}`
        : html`<p class="empty">Nothing was sent yet. An event rule says when something is.</p>`
    }`
  },
  post: async (visit, m, row) => {
    if (!visit.actor.writes || visit.store.reader.mayOn(visit.actor, 'change', m, row.id) !== true) throw forbidden()
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
