import { demandRefusal } from '../refusal.ts'
import { html } from 'hono/html'
import { runAction } from '../../http/actions.ts'
import { conditionOf } from '../../http/lists.ts'
import type { Answer } from '../../http/request.ts'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Html } from '../cells.ts'
import { controlHtml } from '../controls.ts'
import { objectHref, withQuery } from '../links.ts'
import type { Row } from '../table.ts'
import type { Visit } from '../visit.ts'
import { dataPanel } from './config-context.ts'
import type { SpecialTab } from './part.ts'

interface Rendered {
  content: string
  template: { id: number; display: string }
}

/** What the template chosen, or the object's own, makes of it; or why it makes nothing. */
export async function rendered(visit: Visit, m: AnyModel, row: Row): Promise<Rendered | { error: string }> {
  const chosen = visit.query.get('config_template_id')
  const body = chosen ? { config_template_id: Number(chosen) || 0 } : {}
  try {
    const answer = await runAction({ ...visit, request: plain(visit) }, m, row.id, {
      name: 'render-config',
      method: 'POST',
      body,
    })
    const { configtemplate, content } = JSON.parse(String(answer.body)) as {
      configtemplate: Rendered['template']
      content: string
    }
    return { content, template: configtemplate }
  } catch (error) {
    demandRefusal(error)
    const { error: text, detail } = (error.body ?? {}) as { error?: string; detail?: string }
    return {
      error:
        error.status === 404
          ? 'You may not render the configuration of this object.'
          : (text ?? detail ?? error.message),
    }
  }
}

/** The request as one for JSON, whatever the browser would rather have. */
const plain = (visit: Visit): Request => new Request(visit.request.url, { headers: { accept: 'application/json' } })

function picker(visit: Visit) {
  const templates = modelNamed('extras.configtemplate')
  const chosen = visit.query.get('config_template_id') ?? ''
  if (!may(visit.actor, 'view', templates)) return ''
  const { ids } = visit.store.reader.page(
    templates,
    conditionOf(visit, templates, new URLSearchParams()),
    undefined,
    1,
    0,
  )
  if (ids.length === 0) return ''
  return html`<form class="toolbar" method="get"
    action="${visit.config.basePath}${visit.path}"><label for="f-config_template_id">Template</label>${controlHtml(
      visit,
      { as: 'pick', model: templates.name },
      { name: 'config_template_id', values: chosen ? [chosen] : [] },
    )}<button>Render</button></form>`
}

function shown(visit: Visit, { template, content }: Rendered): Html {
  const by = objectHref(visit, modelNamed('extras.configtemplate'), template.id)
  const file = withQuery(visit, { export: '1' })
  return html`<section class="panel"><h2>Rendered by <a href="${by}">${template.display}</a>
<a class="add" href="${file}" hx-boost="false">Download</a></h2>
<pre class="code"><code>${content}</code></pre></section>`
}

/** The configuration that a template makes of a device or virtual machine. */
export const renderConfig: SpecialTab = {
  label: 'Render config',
  body: async (visit, m, row) => {
    const made = await rendered(visit, m, row)
    return html`${picker(visit)}${
      'error' in made ? html`<p class="message bad" role="alert">${made.error}</p>` : shown(visit, made)
    }${dataPanel(visit, 'Context data', row.config_context, 'No data apply to it.')}`
  },
  file: async (visit, m, row): Promise<Answer | undefined> => {
    if (!visit.query.has('export')) return undefined
    const made = await rendered(visit, m, row)
    if ('error' in made) return undefined
    const name = (row.display || String(row.id)).replace(/[^\w.-]+/g, '_')
    return {
      status: 200,
      body: made.content,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="${name}.txt"`,
      },
    }
  },
}
