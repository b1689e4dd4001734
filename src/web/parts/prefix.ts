import { html } from 'hono/html'
import { boundsOf, covering, formatAddress, formatHost, fromBigInt, parseAddress } from '../../lib/ip.ts'
import { relatedTable } from '../related.ts'
import type { SpecialPanel } from './part.ts'

const Networks: readonly string[] = ['ipam.prefix', 'ipam.aggregate']

/**
 * What of a network one types elsewhere: its first and last address for hosts, its mask, how many addresses it holds.
 */
export const addressing: SpecialPanel = {
  of: (m) => Networks.includes(m.name),
  side: 'right',
  show: (_visit, _m, row) => {
    const network = parseAddress(String(row.prefix))
    if (!network) return ''
    const { family, length } = network
    const { first, last } = boundsOf(network)
    const text = (value: bigint) => html`<code>${formatHost({ bytes: fromBigInt(family, value) })}</code>`
    const width = family === 4 ? 32 : 128
    // The network's own address and the one for all hosts are not for hosts, unless all are.
    const kept = family === 4 && length < 31 && row.is_pool !== true ? 1n : 0n
    const hosts = (1n << BigInt(width - length)) - 1n
    const lines = [
      ['First address', text(first + kept)],
      ['Last address', text(last - kept)],
      ...(family === 4
        ? [
            ...(kept ? [['Broadcast', text(last)] as const] : []),
            ['Netmask', text(((1n << 32n) - 1n) ^ hosts)] as const,
            ['Wildcard mask', text(hosts)] as const,
          ]
        : []),
      [
        'Addresses',
        length < width - 53 ? html`2<sup>${width - length}</sup>` : html`${(last - first + 1n).toLocaleString('en')}`,
      ],
    ] as const
    return html`<section class="panel"><h2>Range of addresses</h2><dl>${lines.map(
      ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
    )}</dl></section>`
  },
}

/** The prefixes that hold the whole of a range of addresses. */
export const rangeParents: SpecialPanel = {
  of: (m) => m.name === 'ipam.iprange',
  side: 'wide',
  show: (visit, m, row) => {
    const [first, last] = [parseAddress(String(row.start_address)), parseAddress(String(row.end_address))]
    if (!first || !last) return ''
    const held = { ...row, held: formatAddress(covering(first, last)) }
    return relatedTable(visit, m, held, ['ipam.prefix', 'contains=$held&vrf_id=$vrf', 'Parent prefixes', 'around'])
  },
}
