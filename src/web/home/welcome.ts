import { html } from 'hono/html'
import { may } from '../../engine/actor.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { accountHref } from '../account/account.ts'
import type { Html } from '../cells.ts'
import { listHref } from '../links.ts'
import type { Visit } from '../visit.ts'

/**
 * Where there is nothing yet: how one begins, and after the first site how one goes on. For those who may make sites;
 * nothing for others.
 */
export function firstSteps(visit: Visit): Html | '' {
  const [site, device] = [modelNamed('dcim.site'), modelNamed('dcim.device')]
  if (!visit.actor.writes || !may(visit.actor, 'add', site)) return ''
  const { rows } = visit.store
  if (rows.has('dcim.device', {}) || rows.has('ipam.prefix', {})) return ''
  if (rows.has('dcim.site', {})) return rows.has('dcim.rack', {}) ? '' : nextSteps(visit)
  const [sites, prefixes] = [listHref(visit, site), listHref(visit, modelNamed('ipam.prefix'))]
  return html`<section class="panel first"><h2>Where to begin</h2>
<p>There is nothing here yet. Any of these is a good first step.</p><ol>
<li><h3>By hand</h3>
<p>Everything stands at a <b>site</b>: <a href="${sites}add/">make the first one</a>. Then come racks, device types and
devices; or begin with <a href="${prefixes}add/">a prefix</a>.</p></li>
<li><h3>From a table</h3>
<p>Paste or upload CSV, YAML or JSON, and see line by line what would happen before it does:
<a href="${sites}import/">sites</a>, <a href="${listHref(visit, device)}import/">devices</a>,
<a href="${prefixes}import/">prefixes</a>; every list has <b>Import</b>.</p></li>
<li><h3>From a NetBox</h3>
<p>Stop the server, and copy a running NetBox 4 over its API; ids, tags, custom fields and images come along:</p>
<pre class="code" tabindex="0">cabinet import netbox https://netbox.example.com --token TOKEN --data DIR</pre></li>
<li><h3>Device types</h3><p>The community's library of device types, cloned to a folder, is taken over at once:</p>
<pre class="code" tabindex="0">cabinet import devicetypes devicetype-library --data DIR</pre></li>
<li><h3>By scripts</h3>
<p>The API is at <a href="${visit.config.basePath}/api/">/api/</a>, its description at
<a href="${visit.config.basePath}/api/schema/swagger-ui/"
  hx-boost="false">/api/schema/swagger-ui/</a>. Scripts need <a href="${accountHref(visit, 'api-tokens')}add/">a
token</a>.</p></li></ol></section>`
}

/** There are sites, and nothing at them: what usually comes next. */
function nextSteps(visit: Visit): Html {
  const add = (name: string, text: string) => html`<a href="${listHref(visit, modelNamed(name))}add/">${text}</a>`
  return html`<section class="panel first"><h2>How to go on</h2>
<p>There is a site, and nothing at it yet: ${add('dcim.rack', 'add a rack')} and
${add('dcim.devicetype', 'a type of device')}; then open the rack and click a free unit. Or begin with
${add('ipam.prefix', 'a prefix')}.</p></section>`
}
