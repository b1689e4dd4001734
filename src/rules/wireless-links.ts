import type { WriteEvent, WriteTools } from '../declare/behaviour.ts'
import { type Node, retrace } from './paths.ts'

interface Link {
  id: number
  interface_a_id: number
  interface_b_id: number
  status: string
  _interface_a_device_id: number | null
  _interface_b_device_id: number | null
}
const radios = (link: Link): Node[] =>
  [link.interface_a_id, link.interface_b_id].map((id) => ({ type: 'dcim.interface', id }))

/** Marks the interfaces of a link and traces the paths over it. */
export function connectRadios({ row, before, tools }: WriteEvent<Link>): void {
  const [a, b] = [tools.row('dcim.interface', row.interface_a_id)!, tools.row('dcim.interface', row.interface_b_id)!]
  tools.set(
    'wireless.wirelesslink',
    { id: row.id },
    { _interface_a_device_id: a.device_id, _interface_b_device_id: b.device_id },
  )
  const left = before ? radios(before).filter(({ id }) => id !== row.interface_a_id && id !== row.interface_b_id) : []
  leave(tools, row.id, left)
  for (const { id } of radios(row)) tools.patch('dcim.interface', id, { wireless_link_id: row.id })
  retrace(tools, [{ type: 'wireless.wirelesslink', id: row.id }, ...left], radios(row))
}

/** A link goes: its interfaces are without, but for those that another link has joined since. */
export function freeRadios(tools: WriteTools, link: Link): void {
  leave(tools, link.id, radios(link))
}

function leave(tools: WriteTools, link: number, ends: readonly Node[]): void {
  for (const { id } of ends)
    if (tools.row('dcim.interface', id)?.wireless_link_id === link)
      tools.patch('dcim.interface', id, { wireless_link_id: null })
}
