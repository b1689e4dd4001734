#!/usr/bin/env node
// Measures the API of a running server, kind of request by kind: warm (the same few asked again and again) and cold
// (each request another object or filter, each list another page), one after the other on one kept connection.
//   npm run bench:requests -- --base-url http://127.0.0.1:8080 --token TOKEN --ids ids.json [--pid PID] [--rounds 100]
//     [--only REGEX] [--json FILE]
//   npm run bench:requests -- --compare a.json b.json      prints b / a, kind by kind
// `ids.json`: lists of ids by path (`{"dcim/devices": [1, 2, …]}`). Prints the median and the 95th percentile in ms, and
// with `--pid` (of the server, Linux) the milliseconds of processor time that a request costs it with its threads: on
// a machine that does other things too they say most.
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
