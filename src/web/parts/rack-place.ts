import { demandRefusal } from '../refusal.ts'
import { html } from 'hono/html'
import { type Answer, ApiError } from '../../http/request.ts'
import { demand, updateOne } from '../../http/resource.ts'
import { devicesById } from '../../rules/rack-contents.ts'
import { modelNamed } from '../../engine/catalog.ts'
import type { Refused } from '../../declare/behaviour.ts'
import { messageOf } from '../form-errors.ts'
import { type FormData, readForm } from '../form-data.ts'
import { leadTo, page } from '../frame.ts'
import { listHref, objectHref, safePath } from '../links.ts'
import { NoSuchObject } from '../no-such-object.ts'
import type { Visit } from '../visit.ts'
import { racksBy, seeing } from './rack-drawing.ts'
import { type Placed, placeForm } from './rack-tool.ts'

const [device, rack] = [() => modelNamed('dcim.device'), () => modelNamed('dcim.rack')]

/** `POST /dcim/racks/place/`: moves a device to a unit of a rack, or says why that cannot be. */
export async function placeDevice(visit: Visit): Promise<Answer> {
  demand(visit, 'change', device())
  demand(visit, 'view', rack())
  const data = await readForm(visit)
  const [deviceId, rackId] = [idIn(data, 'device'), idIn(data, 'rack')]
  if (visit.store.reader.mayOn(visit.actor, 'view', rack(), rackId) !== true) throw new NoSuchObject(rack(), rackId)
  if (visit.store.reader.mayOn(visit.actor, 'view', device(), deviceId) !== true)
    throw new NoSuchObject(device(), deviceId)
  const [to] = racksBy(visit, [rackId])
  const [moved] = devicesById(seeing(visit), [deviceId])
  const position = data.all('position')[0] ?? ''
  const place = { rack: rackId, position: position || null, face: (position && data.all('face')[0]) || '' }
  const body = moved!.rack === rackId ? place : { ...place, site: to!.site, location: to!.location }
  try {
    await updateOne(visit, device(), deviceId, body, null)
  } catch (error) {
    demandRefusal(error, 404)
    return again(visit, rackId, deviceId, data, error)
  }
  const back = safePath(visit, data.all('_back')[0]) ?? objectHref(visit, rack(), rackId)
  const where = position ? `is now at U${position}, ${place.face}` : 'has no unit now'
  return leadTo(visit, back, `${moved!.seen!.name} ${where}.`)
}

const idIn = (data: FormData, name: string): number => {
  const text = data.all(name)[0] ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new ApiError(400, { [name]: ['Choose one.'] })
  return Number(text)
}

function again(visit: Visit, rackId: number, deviceId: number, data: FormData, error: ApiError | Refused): Answer {
  const racks = racksBy(visit, [rackId])
  const texts = Object.entries(error.body as Record<string, unknown>)
  const placed: Placed = Object.fromEntries(
    ['device', 'rack', 'position', 'face'].map((name) => [name, data.all(name)[0] ?? '']),
  )
  const devices = devicesById(seeing(visit), [deviceId]).map((each) => ({ ...each, rack: rackId }))
  return page(visit, {
    status: error.status,
    title: 'Move a device',
    crumbs: [
      [listHref(visit, rack()), 'Racks'],
      [objectHref(visit, rack(), rackId), racks[0]!.display],
    ],
    body: html`<div class="message bad" role="alert"><ul>${texts.map(
      ([, text]) => html`<li>${messageOf(text)}</li>`,
    )}</ul></div><section class="panel">${placeForm(visit, racks, devices, new Set([deviceId]), placed)}</section>`,
  })
}
