import { modelNamed } from '../engine/catalog.ts'
import { may } from '../engine/actor.ts'
import { type Answer, ApiError, type Call, forbidden, notFound } from './request.ts'

interface Ends {
  connected_endpoints_type: string | null
  connected_endpoints: { device: { id: number } }[] | null
}

/** The device at the other end of what is connected to an interface, named by its device's name and its own. */
export function connectedDevice(call: Call): Answer {
  const { store, actor, query, base } = call
  const [device, port] = [modelNamed('dcim.device'), modelNamed('dcim.interface')]
  if (!may(actor, 'view', device)) throw forbidden()
  const [deviceName, portName] = [query.get('peer_device'), query.get('peer_interface')]
  if (!deviceName || !portName)
    throw new ApiError(400, { detail: 'The parameters peer_device and peer_interface are both required.' })
  const rows = store.db.all<{ id: number }>(
    `select i.id as id from dcim_interface i join dcim_device d on d.id = i.device_id
      where d.name = ? and i.name = ? order by i.id`,
    deviceName,
    portName,
  )
  const found = rows.find(({ id }) => store.reader.mayOn(actor, 'view', port, id) === true)
  if (!found) throw notFound('Interface')
  const ends = JSON.parse(
    store.reader
      .one(port, found.id, { members: ['connected_endpoints', 'connected_endpoints_type'] }, base)!
      .toString(),
  ) as Ends
  const peer = ends.connected_endpoints_type === port.name ? ends.connected_endpoints?.[0]?.device.id : undefined
  if (peer === undefined || store.reader.mayOn(actor, 'view', device, peer) !== true) throw notFound('Device')
  return {
    status: 200,
    body: store.reader.one(device, peer, { omit: ['config_context'] }, base)!,
    headers: { 'content-type': 'application/json' },
  }
}
