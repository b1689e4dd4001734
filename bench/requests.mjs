#!/usr/bin/env node
// Measures the API of a running server, kind of request by kind: warm (the same few asked again and again) and cold
// (each request another object or filter, each list another page), one after the other on one kept connection.
//   npm run bench:requests -- --base-url http://127.0.0.1:8080 --token TOKEN --ids ids.json [--pid PID] [--rounds 100]
//     [--only REGEX] [--json FILE]
//   npm run bench:requests -- --compare a.json b.json      prints b / a, kind by kind
// `ids.json`: lists of ids by path (`{"dcim/devices": [1, 2, …]}`). Prints the median and the 95th percentile in ms, and
// with `--pid` (of the server, Linux) the milliseconds of processor time that a request costs it with its threads: on a
// machine that does other things too they say most.
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { parseArgs } from 'node:util'

const { values: opt, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'base-url': { type: 'string' },
    token: { type: 'string' },
    ids: { type: 'string' },
    pid: { type: 'string' },
    rounds: { type: 'string', default: '100' },
    only: { type: 'string', default: '.' },
    json: { type: 'string' },
    compare: { type: 'boolean', default: false },
  },
})

const number = (value, width = 9, digits = 2) => (value === undefined ? '-' : value.toFixed(digits)).padStart(width)

if (opt.compare) {
  const [a, b] = positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')))
  for (const kind of Object.keys(a).filter((each) => b[each]))
    for (const how of ['warm', 'cold']) {
      const ratio = (figure) => number(b[kind][how][figure] / a[kind][how][figure], 6)
      const cpu = a[kind][how].cpu && b[kind][how].cpu ? `  cpu ×${ratio('cpu')}` : ''
      console.log(`${kind.padEnd(28)} ${how}  p50 ×${ratio('p50')}  p95 ×${ratio('p95')}${cpu}`)
    }
  process.exit(0)
}

if (!opt['base-url'] || !opt.token || !opt.ids) {
  console.error('usage: npm run bench:requests -- --base-url URL --token TOKEN --ids FILE [--pid PID] [--rounds N]')
  process.exit(2)
}
const base = new URL(opt['base-url'])
const prefix = base.pathname.replace(/\/$/, '')
const authorization = /\s/.test(opt.token) ? opt.token : `Token ${opt.token}`
const rounds = Math.min(10_000, Math.max(5, Number(opt.rounds) || 100))
const only = new RegExp(opt.only)
const ids = JSON.parse(readFileSync(opt.ids, 'utf8'))
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds until the whole answer is there. Throws for a status other than 200. */
function ask(path) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const request = http.request(
      {
        agent,
        host: base.hostname,
        port: base.port || 80,
        path: prefix + path,
        headers: { authorization, accept: 'application/json' },
      },
      (response) => {
        response.resume()
        response.on('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - start)
          else reject(new Error(`${path}: ${response.statusCode}`))
        })
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end()
  })
}

/** Milliseconds of processor time that the server took so far, of all its threads. */
function cpuTime() {
  const fields = readFileSync(`/proc/${Number(opt.pid)}/stat`, 'utf8')
    .split(') ')[1]
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10 // hundredths of seconds
}

/** The one of a list for a number, other ones for the next: they are spread over it, and none comes twice early. */
const of = (list, n) => list[(n * 7919) % list.length]
const all = (path) => ids[path] ?? []
const [devices, interfaces, sites] = [all('dcim/devices'), all('dcim/interfaces'), all('dcim/sites')]
const [prefixes, addresses] = [all('ipam/prefixes'), all('ipam/ip-addresses')]
const offset = (list, n) => (n * 7919) % Math.max(1, list.length - 50)
const tags = Array.from({ length: 20 }, (_, n) => `tag-${n + 1}`)
const words = ['dev', 'eth', 'rack', 'example', 'admin']
const actions = ['create', 'update', 'delete']
const letters = (n) => String.fromCharCode(97 + (n % 26), 97 + ((n * 7) % 26))
const statuses = ['active', 'planned', 'staged', 'offline', 'failed']

/** Each kind: the path of the n-th request. */
const kinds = {
  'one device': (n) => `/api/dcim/devices/${of(devices, n)}/`,
  'page of devices': (n) => `/api/dcim/devices/?limit=50&offset=${offset(devices, n)}`,
  'page of devices, by name': (n) => `/api/dcim/devices/?limit=50&ordering=-name&offset=${offset(devices, n)}`,
  'devices of a site': (n) => `/api/dcim/devices/?site_id=${of(sites, n)}&status=${statuses[n % 5]}&limit=50`,
  'devices by text': (n) => `/api/dcim/devices/?q=${String(of(devices, n)).padStart(5, '0').slice(0, 4)}`,
  'devices by a part of names': (n) =>
    `/api/dcim/devices/?name__ic=${String(of(devices, n)).padStart(5, '0').slice(1)}`,
  'one interface': (n) => `/api/dcim/interfaces/${of(interfaces, n)}/`,
  'page of interfaces': (n) => `/api/dcim/interfaces/?limit=50&offset=${offset(interfaces, n)}`,
  'interfaces of a device': (n) => `/api/dcim/interfaces/?device_id=${of(devices, n)}`,
  'one address': (n) => `/api/ipam/ip-addresses/${of(addresses, n)}/`,
  'page of addresses': (n) => `/api/ipam/ip-addresses/?limit=50&offset=${offset(addresses, n)}`,
  'addresses of a device': (n) => `/api/ipam/ip-addresses/?device_id=${of(devices, n)}`,
  'page of prefixes': (n) => `/api/ipam/prefixes/?limit=50&offset=${offset(prefixes, n)}`,
  'prefixes by text': (n) => `/api/ipam/prefixes/?q=10.${n % 250}&limit=50`,
  'available addresses': (n) => `/api/ipam/prefixes/${of(prefixes, n)}/available-ips/?limit=10`,
  'one site': (n) => `/api/dcim/sites/${of(sites, n)}/`,
  'change log': (n) => `/api/core/object-changes/?limit=50&offset=${(n * 50) % 5000}`,
  'change log, first pages': (n) => `/api/core/object-changes/?limit=50&offset=${(n * 37) % 200}`,
  'change log, deep': (n) => `/api/core/object-changes/?limit=50&offset=${offset(devices, n)}`,
  'change log by text': (n) => `/api/core/object-changes/?q=${of(words, n)}${n}&limit=50`,
  'change log by a common text': (n) => `/api/core/object-changes/?q=${of(words, n)}&limit=${50 + n}`,
  'changes of a device': (n) =>
    `/api/core/object-changes/?changed_object_type=dcim.device&changed_object_id=${of(devices, n)}`,
  'changes of a kind': (n) => `/api/core/object-changes/?action=${actions[n % 3]}&limit=50&offset=${(n * 50) % 5000}`,
  'devices, last changed first': (n) => `/api/dcim/devices/?limit=50&ordering=-last_updated&offset=${(n * 50) % 5000}`,
  'devices by serial number': (n) => `/api/dcim/devices/?limit=50&ordering=serial&offset=${offset(devices, n)}`,
  'devices by status': (n) => `/api/dcim/devices/?limit=50&ordering=status&offset=${offset(devices, n)}`,
  'devices by site': (n) => `/api/dcim/devices/?limit=50&ordering=site&offset=${offset(devices, n)}`,
  'devices by type': (n) => `/api/dcim/devices/?limit=50&ordering=-device_type&offset=${offset(devices, n)}`,
  'devices by rack': (n) => `/api/dcim/devices/?limit=50&ordering=rack&offset=${offset(devices, n)}`,
  'devices by address': (n) => `/api/dcim/devices/?limit=50&ordering=primary_ip4&offset=${offset(devices, n)}`,
  'devices with a tag': (n) => `/api/dcim/devices/?tag=${of(tags, n)}&limit=50&offset=${offset(sites, n)}`,
  'devices with two tags': (n) => `/api/dcim/devices/?tag=${of(tags, n)}&tag=${of(tags, n + 1)}&limit=${50 + n}`,
  'devices of a role': (n) => `/api/dcim/devices/?role_id=${(n % 10) + 1}&limit=50&offset=${offset(sites, n)}`,
  'devices of a region': (n) => `/api/dcim/devices/?region_id=${(n % 25) + 1}&limit=50&offset=${offset(sites, n)}`,
  'devices of a status': (n) => `/api/dcim/devices/?status=${statuses[n % 5]}&limit=50&offset=${offset(sites, n)}`,
  'devices of a tenant': (n) => `/api/dcim/devices/?tenant_id=${(n % 20) + 1}&limit=50&offset=${offset(sites, n)}`,
  'devices by two letters': (n) => `/api/dcim/devices/?q=${letters(n)}&limit=50`,
  'devices by a common text': (n) => `/api/dcim/devices/?q=dev&limit=50&offset=${offset(devices, n)}`,
  'interfaces by text': (n) => `/api/dcim/interfaces/?q=eth${n % 5}&limit=50&offset=${offset(devices, n)}`,
  'interfaces of a type': (n) => `/api/dcim/interfaces/?type=1000base-t&limit=50&offset=${offset(devices, n)}`,
  'interfaces by device': (n) => `/api/dcim/interfaces/?ordering=device&limit=50&offset=${offset(interfaces, n)}`,
  'interfaces of a site': (n) => `/api/dcim/interfaces/?site_id=${of(sites, n)}&limit=50`,
  'addresses by text': (n) => `/api/ipam/ip-addresses/?q=10.${n % 60}.&limit=50`,
  'addresses by name': (n) => `/api/ipam/ip-addresses/?dns_name__ic=${of(addresses, n)}&limit=50`,
  'addresses by address': (n) => `/api/ipam/ip-addresses/?address=10.${n % 60}.${n % 250}.1&limit=50`,
  'addresses of a prefix': (n) => `/api/ipam/ip-addresses/?parent=10.${n % 60}.${n % 250}.0/24&limit=50`,
  'addresses of a VRF': (n) => `/api/ipam/ip-addresses/?vrf_id=${(n % 5) + 1}&limit=50&offset=${offset(devices, n)}`,
  'addresses of a status': (n) =>
    `/api/ipam/ip-addresses/?status=${['active', 'reserved'][n % 2]}&limit=50&offset=${offset(devices, n)}`,
  'addresses, last changed first': (n) =>
    `/api/ipam/ip-addresses/?ordering=-last_updated&limit=50&offset=${(n * 50) % 5000}`,
  'addresses by DNS name': (n) => `/api/ipam/ip-addresses/?ordering=dns_name&limit=50&offset=${offset(addresses, n)}`,
  'prefixes within another': (n) => `/api/ipam/prefixes/?within=10.${n % 60}.0.0/16&limit=50`,
  'prefixes that contain': (n) => `/api/ipam/prefixes/?contains=10.${n % 60}.${n % 250}.7&limit=50`,
  'one prefix': (n) => `/api/ipam/prefixes/${of(prefixes, n)}/`,
  'prefixes, last changed first': (n) =>
    `/api/ipam/prefixes/?ordering=-last_updated&limit=50&offset=${offset(prefixes, n)}`,
  cables: (n) => `/api/dcim/cables/?limit=50&offset=${offset(sites, n)}`,
  'page of sites': (n) => `/api/dcim/sites/?limit=50&offset=${offset(sites, n)}`,
  'page of racks': (n) => `/api/dcim/racks/?limit=50&offset=${offset(all('dcim/racks'), n)}`,
  'racks of a site': (n) => `/api/dcim/racks/?site_id=${of(sites, n)}&limit=50`,
}

async function measured(paths) {
  const before = opt.pid && cpuTime()
  const times = []
  for (const path of paths) times.push(await ask(path))
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { p50: at(0.5), p95: at(0.95), ...(opt.pid && { cpu: (cpuTime() - before) / times.length }) }
}

const results = {}
const shown = ({ p50, p95, cpu }) => `${number(p50)} ${number(p95)}${opt.pid ? number(cpu) : ''}`
const head = `${'p50'.padStart(9)} ${'p95'.padStart(9)}${opt.pid ? 'cpu'.padStart(9) : ''}`
console.log(`${'ms'.padEnd(28)}${'warm'.padStart(6)} ${head}   cold ${head}`)
for (const [kind, pathOf] of Object.entries(kinds)) {
  if (!only.test(kind) || /undefined/.test(pathOf(1))) continue
  const few = Array.from({ length: 5 }, (_, n) => pathOf(n))
  for (const path of few) await ask(path)
  const cold = await measured(Array.from({ length: rounds }, (_, n) => pathOf(n + few.length)))
  for (const path of few) await ask(path)
  const warm = await measured(Array.from({ length: rounds }, (_, n) => few[n % few.length]))
  results[kind] = { warm, cold }
  console.log(`${kind.padEnd(28)}${' '.repeat(7)}${shown(warm)}        ${shown(cold)}`)
}
if (opt.json) writeFileSync(opt.json, JSON.stringify(results, null, 1))
agent.destroy()
