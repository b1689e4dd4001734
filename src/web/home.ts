import { html } from 'hono/html'
import type { Answer } from '../api/request.ts'
import { may } from '../registry/actor.ts'
import { modelNamed } from '../registry/catalog.ts'
import { page } from './frame.ts'
import { listHref } from './links.ts'
import { countOf } from './related.ts'
import type { Visit } from './visit.ts'
import { pluralOf, words } from './words.ts'

const Counted: Readonly<Record<string, string>> = {
  Organization: 'dcim.site dcim.location tenancy.tenant tenancy.contact',
  Racks: 'dcim.rack dcim.devicetype dcim.device dcim.cable',
  IPAM: 'ipam.vrf ipam.aggregate ipam.prefix ipam.iprange ipam.ipaddress ipam.vlan',
  Circuits: 'circuits.provider circuits.circuit',
  Virtualization: 'virtualization.cluster virtualization.virtualmachine',
}

/** `/`: what there is, and where to begin. */
export function homePage(visit: Visit): Answer {
  const none = new URLSearchParams()
  const groups = Object.entries(Counted).map(([title, names]) => ({
    title,
    entries: words(names)
      .map(modelNamed)
      .filter((m) => may(visit.actor, 'view', m))
      .map((m) => ({ label: pluralOf(m), href: listHref(visit, m), count: countOf(visit, m, none) })),
  }))
  return page(visit, {
    title: 'Home',
    body: html`<div class="widgets">${groups
      .filter(({ entries }) => entries.length)
      .map(
        ({ title, entries }) =>
          html`<section class="panel"><h2>${title}</h2><ul class="counts">${entries.map(
            ({ label, href, count }) =>
              html`<li><a href="${href}">${label}</a> <b>${count.toLocaleString('en')}</b></li>`,
          )}</ul></section>`,
      )}</div>`,
  })
}
