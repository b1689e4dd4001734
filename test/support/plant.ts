import assert from 'node:assert/strict'
import type { serve } from './server.ts'

type Client = Awaited<ReturnType<typeof serve>>
/** What `object_type` and `object_id` name. */
type End = readonly [type: string, id: number]

/** A site with a device type, and makers of devices, ports and cables on it. */
export async function plant({ call }: Pick<Client, 'call'>) {
  const make = async (path: string, body: object): Promise<any> => {
    const answer = await call('POST', `/api/${path}/`, body)
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.json)}`)
    return answer.json
  }
  const get = async (path: string): Promise<any> => (await call('GET', `/api/${path}`)).json
  const site = await make('dcim/sites', { name: 'Plant', slug: 'plant' })
  const maker = await make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const type = await make('dcim/device-types', { manufacturer: maker.id, model: 'Box', slug: 'box' })
  const role = await make('dcim/device-roles', { name: 'Any', slug: 'any' })
  const device = (name: string, more: object = {}) =>
    make('dcim/devices', { name, site: site.id, role: role.id, device_type: type.id, ...more })
  const port = async (path: string, owner: { id: number }, name: string, more: object = {}): Promise<number> =>
    (await make(`dcim/${path}`, { device: owner.id, name, ...more })).id as number
  const nic = (owner: { id: number }, name = 'eth0', more: object = {}) =>
    port('interfaces', owner, name, { type: '1000base-t', ...more })
  let serial = 0
  /** Interfaces of a device of their own. */
  const nics = async (count: number): Promise<number[]> => {
    const owner = await device(`box ${++serial}`)
    return Promise.all(Array.from({ length: count }, (_, i) => nic(owner, `eth${i}`)))
  }
  const ends = (list: readonly End[]) => list.map(([object_type, object_id]) => ({ object_type, object_id }))
  const join = (a: End | readonly End[], b: End | readonly End[], more: object = {}) => {
    const many = (x: End | readonly End[]) => ends((Array.isArray(x[0]) ? x : [x]) as readonly End[])
    return make('dcim/cables', { a_terminations: many(a), b_terminations: many(b), ...more })
  }
  /** A panel of one rear port with a front port for each position. */
  const panel = async (name: string, positions: number) => {
    const box = await device(name)
    const rear = await port('rear-ports', box, 'rear', { type: '8p8c', positions })
    const fronts: number[] = []
    for (let i = 1; i <= positions; i++)
      fronts.push(
        await port('front-ports', box, `front ${i}`, {
          type: '8p8c',
          rear_ports: [{ position: 1, rear_port: rear, rear_port_position: i }],
        }),
      )
    return { box, rear, fronts }
  }
  return { make, get, site, maker, type, role, device, port, nic, nics, join, panel }
}

export const nicEnd = (id: number): End => ['dcim.interface', id]
export const frontEnd = (id: number): End => ['dcim.frontport', id]
export const rearEnd = (id: number): End => ['dcim.rearport', id]
