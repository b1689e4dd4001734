import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import type { Answer } from '../../http/request.ts'
import { demand, writingFor } from '../../http/resource.ts'
import { nextFree, spaceOf } from '../../rules/free-space.ts'
import { may } from '../../engine/actor.ts'
import { Refused } from '../../declare/behaviour.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { controlHtml } from '../controls.ts'
import { leadTo } from '../frame.ts'
import { listHref, objectHref, safePath } from '../links.ts'
import { mayAdd } from '../part-form.ts'
import { NoSuchObject } from '../no-such-object.ts'
import type { Visit } from '../visit.ts'
import type { SpecialPanel } from './part.ts'

const address = () => modelNamed('ipam.ipaddress')
const prefixes = () => modelNamed('ipam.prefix')
/** What the form of the address is told besides. */
const Kept = ['assigned_object_type', 'assigned_object_id', '_back']

/** On what has addresses: the next free one of a prefix, in the form of a new address. */
export const nextAddress: SpecialPanel = {
  of: (m) => ['dcim.interface', 'virtualization.vminterface', 'ipam.fhrpgroup'].includes(m.name),
  side: 'right',
  show: (visit, m, row) => {
    if (!mayAdd(visit, address()) || !may(visit.actor, 'view', prefixes())) return ''
    const known = { assigned_object_type: m.name, assigned_object_id: row.id, _back: objectHref(visit, m, row.id) }
    const control = { as: 'pick', model: 'ipam.prefix' } as const
    return html`<section class="panel"><h2>Next free address</h2>
<form class="next-free" method="get" action="${listHref(visit, prefixes())}next-free/">${Object.entries(known).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}<label for="f-prefix">Of prefix</label>${controlHtml(visit, control, {
      name: 'prefix',
      values: [],
      required: false,
    })}<button>Take</button></form></section>`
  },
}

/**
 * `/ipam/prefixes/next-free/?prefix=3`: leads to the form of a new address, filled with the next free one of a prefix.
 */
export function nextFreeAddress(visit: Visit): Answer {
  demand(visit, 'add', address())
  const back = safePath(visit, visit.query.get('_back') ?? undefined) ?? listHref(visit, prefixes())
  const id = prefixOf(visit)
  if (id === undefined) return leadTo(visit, back, 'Choose the prefix of the address.', 'bad')
  const space = spaceOf(writingFor(visit).tools, 'ipam.prefix', id, 'ipam.ipaddress')
  try {
    const [next] = nextFree(space, 1)
    const filled = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...space.presets, ...space.body(next!) }))
      if (value !== null) filled.set(name, String(value))
    for (const name of Kept) if (visit.query.get(name)) filled.set(name, visit.query.get(name)!)
    return leadTo(visit, `${listHref(visit, address())}add/?${filled}`)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return leadTo(visit, back, `${visit.store.reader.display(prefixes(), id)} has no free address.`, 'bad')
  }
}

/**
 * The prefix that a query names by its id or as it is written; undefined where it names none. Throws 404 for one that
 * is not there.
 */
function prefixOf(visit: Visit): number | undefined {
  const text = visit.query.getAll('prefix').findLast(Boolean)
  if (!text) return undefined
  demand(visit, 'view', prefixes())
  const by = /^\d{1,15}$/.test(text) ? 'id' : 'prefix'
  const condition = conditionOf(visit, prefixes(), new URLSearchParams([[by, text]]))
  const [id] = visit.store.reader.page(prefixes(), condition, undefined, 1, 0).ids
  if (id === undefined) throw new NoSuchObject(prefixes())
  return id
}
