#!/usr/bin/env node
// Measures the pages of a running server as a browser asks for them: the first byte, and the size of the HTML.
//   npm run bench:pages -- --base-url http://127.0.0.1:8080 --token TOKEN [--rounds 40] [--only REGEX] [--json FILE]
// Prints for each kind of page the least, the median and the 95th percentile of the first byte in ms (the least says
// most where the machine does other things too), each round another object or another part of a list; then the same
// while somebody changes devices through the API: their descriptions are what is left changed, `--no-writes` leaves
// that out.
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import { parseArgs } from 'node:util'

const { values: opt } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    token: { type: 'string' },
    rounds: { type: 'string', default: '40' },
    only: { type: 'string', default: '.' },
    json: { type: 'string' },
    'no-writes': { type: 'boolean', default: false },
  },
})
if (!opt['base-url'] || !opt.token) {
  console.error('usage: npm run bench:pages -- --base-url URL --token TOKEN [--rounds N] [--only REGEX] [--no-writes]')
  process.exit(2)
}
const base = new URL(opt['base-url'])
const prefix = base.pathname.replace(/\/$/, '')
const rounds = Math.min(1000, Math.max(5, Number(opt.rounds) || 40))
const only = new RegExp(opt.only)
const authorization = /\s/.test(opt.token) ? opt.token : `Token ${opt.token}`

/** One request on a connection that is kept: milliseconds to the first byte of the body, its status, bytes and text. */
function ask(agent, method, path, { accept = 'text/html', body } = {}) {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const headers = {
      authorization,
      accept,
      ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
    }
    const start = performance.now()
    const request = http.request(
      { agent, method, host: base.hostname, port: base.port || 80, path: prefix + path, headers },
      (response) => {
        let first
        const parts = []
        response.on('data', (part) => {
          first ??= performance.now() - start
          parts.push(part)
        })
        response.on('end', () => {
          const bytes = Buffer.concat(parts)
          resolve({ ms: first ?? performance.now() - start, status: response.statusCode, bytes })
        })
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(payload)
  })
}

const reader = new http.Agent({ keepAlive: true, maxSockets: 1 })
const writer = new http.Agent({ keepAlive: true, maxSockets: 1 })

/** Ids of objects spread over all of a model, as many as there are rounds. */
async function idsOf(path) {
  const list = async (query) => {
    const answer = await ask(reader, 'GET', `/api/${path}/?${query}`, { accept: 'application/json' })
    if (answer.status !== 200) throw new Error(`/api/${path}/: ${answer.status} ${answer.bytes}`.slice(0, 300))
    return JSON.parse(answer.bytes)
  }
  const { count } = await list('limit=1&fields=id')
  const ids = []
  for (let at = 0; at < rounds && at < count; at++) {
    const offset = Math.floor((count / Math.min(rounds, count)) * at)
    ids.push((await list(`limit=1&fields=id,name&offset=${offset}`)).results[0])
  }
  return { count, ids }
}

const known = {}
for (const path of [
  'dcim/devices',
  'dcim/interfaces',
  'dcim/sites',
  'dcim/racks',
  'dcim/cables',
  'ipam/prefixes',
  'ipam/ip-addresses',
  'ipam/vlan-groups',
])
  known[path] = await idsOf(path)
const one = (path, tail = '') =>
  known[path].count > 0 && ((i) => `/${path}/${known[path].ids[i % known[path].ids.length].id}/${tail}`)
const paged =
  (path, query = '') =>
  (i) =>
    `/${path}/?page=${1 + (i % Math.max(1, Math.min(rounds, Math.floor(known[path].count / 50))))}${query}`
const named = (i) => known['dcim/devices'].ids[i % known['dcim/devices'].ids.length]?.name ?? 'a'

/** Kinds of pages: an address for each round; false where there is nothing to show. */
const kinds = {
  home: () => '/',
  'list of 50 devices': paged('dcim/devices'),
  'list of 50 devices, ordered by name': paged('dcim/devices', '&sort=name'),
  'list of devices of a site': (i) =>
    `/dcim/devices/?site_id=${known['dcim/sites'].ids[i % known['dcim/sites'].ids.length].id}`,
  'list of devices, found as one types': (i) => `/dcim/devices/?q=${encodeURIComponent(named(i))}`,
  'list of 50 interfaces': paged('dcim/interfaces'),
  'list of 1000 interfaces': (i) =>
    `/dcim/interfaces/?per_page=1000&page=${1 + (i % Math.max(1, Math.floor(known['dcim/interfaces'].count / 1000)))}`,
  'list of 50 racks': paged('dcim/racks'),
  'list of 50 sites': () => '/dcim/sites/',
  'list of 50 cables': paged('dcim/cables'),
  'list of 50 prefixes': paged('ipam/prefixes'),
  'list of 50 addresses': paged('ipam/ip-addresses'),
  changes: (i) => `/core/changelog/?page=${1 + i}`,
  device: one('dcim/devices'),
  'interfaces of a device': one('dcim/devices', 'interfaces/'),
  'journal of a device': one('dcim/devices', 'journal/'),
  'changes of a device': one('dcim/devices', 'changelog/'),
  interface: one('dcim/interfaces'),
  site: one('dcim/sites'),
  rack: one('dcim/racks'),
  'rack elevations': () => '/dcim/rack-elevations/',
  cable: one('dcim/cables'),
  prefix: one('ipam/prefixes'),
  'addresses of a prefix': one('ipam/prefixes', 'ipaddresses/'),
  address: one('ipam/ip-addresses'),
  'form of a new device': () => '/dcim/devices/add/',
  'form of a device': one('dcim/devices', 'edit/'),
  'form of a new interface': () => '/dcim/interfaces/add/',
  'delete a site': one('dcim/sites', 'delete/'),
  'columns of devices': () => '/dcim/devices/columns/',
  search: (i) => `/search/?q=${encodeURIComponent(named(i))}`,
  'search for a part': (i) => `/search/?q=${encodeURIComponent(String(named(i)).slice(-4))}`,
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]

async function measure(pathOf) {
  await ask(reader, 'GET', pathOf(0)) // what is made once is made
  const times = []
  let bytes = 0
  for (let i = 0; i < rounds; i++) {
    const answer = await ask(reader, 'GET', pathOf(i))
    if (answer.status !== 200) return { status: answer.status }
    times.push(answer.ms)
    bytes = Math.max(bytes, answer.bytes.length)
  }
  times.sort((a, b) => a - b)
  return { least: times[0], p50: at(times, 0.5), p95: at(times, 0.95), bytes }
}

/** Changes one device after another until it is told to stop; 20 a second. */
function writing() {
  let isOn = true
  const { ids } = known['dcim/devices']
  const done = (async () => {
    for (let i = 0; isOn && ids.length; i++) {
      const body = { description: `bench ${i}` }
      await ask(writer, 'PATCH', `/api/dcim/devices/${ids[i % ids.length].id}/`, { accept: 'application/json', body })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  return () => {
    isOn = false
    return done
  }
}

const results = {}
const shown = (value) => (value === undefined ? '' : value.toFixed(1)).padStart(8)
console.log(
  `${''.padEnd(38)}${'least'.padStart(8)}${'p50 ms'.padStart(8)}${'p95 ms'.padStart(8)}${'kB'.padStart(8)}${opt['no-writes'] ? '' : '   while somebody writes: least, p50, p95'}`,
)
for (const [kind, pathOf] of Object.entries(kinds)) {
  if (!pathOf || !only.test(kind)) continue
  const quiet = await measure(pathOf)
  if (quiet.status) {
    console.log(`${kind.padEnd(38)} answered ${quiet.status}: ${pathOf(0)}`)
    continue
  }
  let busy
  if (!opt['no-writes']) {
    const stop = writing()
    busy = await measure(pathOf)
    await stop()
  }
  results[kind] = { ...quiet, busy }
  console.log(
    `${kind.padEnd(38)}${shown(quiet.least)}${shown(quiet.p50)}${shown(quiet.p95)}${shown(quiet.bytes / 1000)}${busy ? `   ${shown(busy.least)}${shown(busy.p50)}${shown(busy.p95)}` : ''}`,
  )
}
if (opt.json) writeFileSync(opt.json, `${JSON.stringify(results, null, 2)}\n`)
reader.destroy()
writer.destroy()
