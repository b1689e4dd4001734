#!/usr/bin/env node
// What grows with the data: asks two servers, one of a small inventory and one of a large one, for every kind of list,
// filter, order, search and page, each time by another value, and compares the processor time that a request costs the
// server (Linux).
//   npm run bench:growth -- --small FOLDER --large FOLDER --token TOKEN [--rounds 12] [--only REGEX] [--all]
//     [--json FILE]
// FOLDER is a data folder that is served while this runs, by one thread; give copies. Prints least, median and 95th
// percentile in ms of both, and the ratios of median and 95th; of kinds that cost the larger one more than 3 ms and
// more than twice as much, or of `--all`.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: opt } = parseArgs({
  options: {
    small: { type: 'string' },
    large: { type: 'string' },
    token: { type: 'string' },
    rounds: { type: 'string', default: '12' },
    only: { type: 'string', default: '.' },
    all: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
if (!opt.small || !opt.large || !opt.token) {
  console.error(
    'usage: npm run bench:growth -- --small FOLDER --large FOLDER --token TOKEN [--rounds N] [--only REGEX]',
  )
  process.exit(2)
}
const rounds = Math.min(500, Math.max(4, Number(opt.rounds) || 12))
const only = new RegExp(opt.only)
const authorization = /\s/.test(opt.token) ? opt.token : `Token ${opt.token}`
const main = join(import.meta.dirname, '..', 'src', 'main.ts')

/** One server over a folder, and what its inventory holds. */
class Server {
  constructor(folder, port) {
    this.port = port
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    this.child = spawn(process.execPath, [main, 'serve', '--listen', `127.0.0.1:${port}`, '--data', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, CABINET_WORKERS: '0', CABINET_LOG_LEVEL: 'none' },
    })
    this.samples = new Map()
  }

  /** Nanoseconds of processor time of the thread that answers. */
  cpu() {
    return Number(readFileSync(`/proc/${this.child.pid}/task/${this.child.pid}/schedstat`, 'utf8').split(' ')[0])
  }

  ask(path, accept = 'application/json') {
    return new Promise((resolve, reject) => {
      const headers = { authorization, accept }
      const request = http.request(
        { agent: this.agent, host: '127.0.0.1', port: this.port, path, headers },
        (reply) => {
          const parts = []
          reply.on('data', (part) => parts.push(part))
          reply.on('end', () => resolve({ status: reply.statusCode, text: Buffer.concat(parts).toString() }))
          reply.on('error', reject)
        },
      )
      request.on('error', reject)
      request.end()
    })
  }

  async ready() {
    for (let tries = 0; tries < 3000; tries++) {
      const reply = await this.ask('/api/').catch(() => undefined)
      if (reply?.status === 200) return
      await new Promise((done) => setTimeout(done, 100))
    }
    throw new Error('the server does not answer')
  }

  /** How many objects a list has, and some of them from all over it. */
  async sample(path) {
    const known = this.samples.get(path)
    if (known) return known
    const list = async (query) => {
      const reply = await this.ask(`/api/${path}/?${query}`)
      return reply.status === 200 ? JSON.parse(reply.text) : { count: 0, results: [] }
    }
    const { count } = await list('limit=1')
    const rows = []
    for (let k = 0; k < 30 && rows.length < count; k++)
      rows.push(...(await list(`limit=4&offset=${Math.floor((count * k) / 30)}`)).results)
    const made = { count, rows }
    this.samples.set(path, made)
    return made
  }
}

let state = 7
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0
  let t = state
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
const below = (n) => Math.floor(random() * n)
const of = (list) => list[below(list.length)]
/** Some letters in a row of a text. */
const part = (text, length) => {
  const at = below(Math.max(1, text.length - length + 1))
  return encodeURIComponent(text.slice(at, at + length).toLowerCase())
}
const textOf = (value) => (typeof value === 'string' && value.length > 1 ? value : undefined)

const big = [
  ...['dcim/devices', 'dcim/interfaces', 'dcim/cables', 'dcim/sites', 'dcim/racks', 'dcim/locations'],
  ...['ipam/ip-addresses', 'ipam/prefixes', 'ipam/vlans', 'core/object-changes'],
]
const others = [
  ...['dcim/regions', 'dcim/device-types', 'dcim/device-roles', 'dcim/manufacturers', 'dcim/platforms', 'ipam/vrfs'],
  ...['ipam/vlan-groups', 'tenancy/tenants', 'extras/tags', 'extras/custom-fields', 'users/users', 'core/jobs'],
  ...['dcim/cable-terminations', 'extras/tagged-objects', 'core/object-types'],
]

/** Kinds of requests: the path of one more, by a server. Undefined where it holds nothing of the kind. */
async function kindsOf(servers, schema) {
  const kinds = new Map()
  const add = (name, pathOf, accept) => only.test(name) && kinds.set(name, { pathOf, accept })
  for (const server of servers) for (const path of [...big, ...others]) await server.sample(path)
  const pick = (server, path) => of(server.samples.get(path).rows)
  for (const path of [...big, ...others]) {
    const get = schema.paths[`/api/${path}/`]?.get
    const counts = servers.map((server) => server.samples.get(path).count)
    if (!get || counts.includes(0)) continue
    const deep = (server, limit = 50) => below(Math.max(1, server.samples.get(path).count - limit))
    add(`${path} first page`, () => `/api/${path}/?limit=${40 + below(20)}`)
    add(`${path} a page`, (server) => `/api/${path}/?limit=50&offset=${deep(server)}`)
    add(
      `${path} last page`,
      (server) => `/api/${path}/?limit=50&offset=${Math.max(0, server.samples.get(path).count - 50 - below(9))}`,
    )
    add(`${path} one`, (server) => `/api/${path}/${pick(server, path).id}/`)
    add(`${path} brief`, (server) => `/api/${path}/?brief=1&limit=50&offset=${deep(server)}`)
    add(`${path} fields`, (server) => `/api/${path}/?fields=id,display&limit=50&offset=${deep(server)}`)
    add(`${path} from an id`, (server) => `/api/${path}/?start=${pick(server, path).id}&limit=50`)
    const parameters = get.parameters.filter(({ name }) => name) // others are parameters of every list
    const names = new Set(parameters.map(({ name }) => name))
    if (names.has('q'))
      for (const letters of [2, 3, 6])
        add(
          `${path} q of ${letters}`,
          (server) => `/api/${path}/?q=${part(pick(server, path).display ?? 'dev', letters)}&limit=50`,
        )
    if (!big.includes(path)) continue
    const rowsWith = (server, test) => server.samples.get(path).rows.filter(test)
    const idIn = (value) =>
      Array.isArray(value) ? value[0]?.id : (value?.id ?? (Number.isInteger(value) ? value : undefined))
    const stems = [...names].filter((name) => name.endsWith('_id')).map((name) => name.slice(0, -3))
    for (const stem of stems) {
      // The value of a reference of the object itself, or of one that the same name stands for elsewhere.
      const source = [...big, ...others].find((each) => each.split('/')[1] === `${stem.replaceAll('_', '-')}s`)
      add(`${path} by ${stem}_id`, (server) => {
        const own = rowsWith(server, (row) => idIn(row[stem]) !== undefined)
        const id = own.length ? idIn(of(own)[stem]) : source && pick(server, source)?.id
        return id === undefined ? undefined : `/api/${path}/?${stem}_id=${id}&limit=${40 + below(20)}`
      })
    }
    const example = servers[0].samples.get(path).rows[0]
    for (const name of Object.keys(example)) {
      const { rows } = servers[0].samples.get(path)
      if (name !== 'url' && name !== 'display')
        for (const way of ['', '-']) {
          add(
            `${path} ordered ${way}${name}`,
            () => `/api/${path}/?ordering=${way}${name}&limit=50&offset=${below(300)}`,
          )
          add(
            `${path} ordered ${way}${name}, deep`,
            (server) => `/api/${path}/?ordering=${way}${name}&limit=50&offset=${deep(server)}`,
          )
        }
      const texts = rows.filter((row) => textOf(row[name]))
      if (texts.length && names.has(`${name}__ic`)) {
        const text = (server) => of(rowsWith(server, (row) => textOf(row[name])))?.[name] ?? 'abcdef'
        for (const lookup of ['', '__n', '__ic', '__isw', '__iew', '__ie', '__regex'])
          if (names.has(name + lookup))
            add(
              `${path} ${name}${lookup}`,
              (server) =>
                `/api/${path}/?${name}${lookup}=${lookup === '' || lookup === '__n' || lookup === '__ie' ? encodeURIComponent(text(server)) : part(text(server), 4)}&limit=50`,
            )
      }
      if (names.has(`${name}__empty`))
        add(
          `${path} ${name}__empty`,
          () => `/api/${path}/?${name}__empty=${of(['true', 'false'])}&limit=${40 + below(20)}`,
        )
      const value = rows[0][name]
      if (typeof value === 'number' && names.has(`${name}__gte`))
        for (const lookup of ['', '__gte', '__lt'])
          add(
            `${path} ${name}${lookup}`,
            (server) => `/api/${path}/?${name}${lookup}=${pick(server, path)[name] ?? 1}&limit=50`,
          )
      if (value?.value !== undefined && names.has(name)) {
        add(
          `${path} ${name}=`,
          (server) => `/api/${path}/?${name}=${pick(server, path)[name]?.value ?? ''}&limit=50&offset=${below(200)}`,
        )
        add(
          `${path} ${name}__n=`,
          (server) => `/api/${path}/?${name}__n=${pick(server, path)[name]?.value ?? ''}&limit=50&offset=${below(200)}`,
        )
      }
    }
    for (const { name, schema: value } of parameters) {
      const type = (value.items ?? value).type
      if (type === 'boolean')
        add(`${path} ${name}`, () => `/api/${path}/?${name}=${of(['true', 'false'])}&limit=${40 + below(20)}`)
    }
    for (const moment of ['created', 'last_updated'])
      if (names.has(`${moment}__gte`))
        add(
          `${path} ${moment}__gte`,
          (server) => `/api/${path}/?${moment}__gte=${encodeURIComponent(pick(server, path)[moment])}&limit=50`,
        )
    if (names.has('tag')) {
      const tag = (server) => pick(server, 'extras/tags').slug
      add(`${path} a tag`, (server) => `/api/${path}/?tag=${tag(server)}&limit=50&offset=${below(100)}`)
      add(`${path} two tags`, (server) => `/api/${path}/?tag=${tag(server)}&tag=${tag(server)}&limit=${40 + below(20)}`)
      add(`${path} not a tag`, (server) => `/api/${path}/?tag__n=${tag(server)}&limit=${40 + below(20)}`)
    }
    add(`page ${path}`, () => `/${path}/?page=${1 + below(5)}`, 'text/html')
    add(
      `page ${path}, deep`,
      (server) => `/${path}/?page=${1 + below(Math.ceil(server.samples.get(path).count / 50))}`,
      'text/html',
    )
    add(`page ${path} of one`, (server) => `/${path}/${pick(server, path).id}/`, 'text/html')
    if (names.has('q'))
      add(`page ${path} q`, (server) => `/${path}/?q=${part(pick(server, path).display, 4)}`, 'text/html')
  }
  const id = (server, path) => pick(server, path).id
  add(
    'devices of a site and status',
    (s) => `/api/dcim/devices/?site_id=${id(s, 'dcim/sites')}&status=${of(['active', 'planned'])}&limit=50`,
  )
  add('devices by custom field', () => `/api/dcim/devices/?cf_asset_owner=team-${below(9)}&limit=${40 + below(20)}`)
  add(
    'devices by a part of a custom field',
    () => `/api/dcim/devices/?cf_asset_owner__ic=am-${below(9)}&limit=${40 + below(20)}`,
  )
  add('interfaces of a device', (s) => `/api/dcim/interfaces/?device_id=${id(s, 'dcim/devices')}`)
  add('addresses of a device', (s) => `/api/ipam/ip-addresses/?device_id=${id(s, 'dcim/devices')}`)
  add('addresses of an interface', (s) => `/api/ipam/ip-addresses/?interface_id=${id(s, 'dcim/interfaces')}`)
  add('addresses in a network', () => `/api/ipam/ip-addresses/?parent=10.${below(60)}.${below(250)}.0/24&limit=50`)
  add('addresses in a wide network', () => `/api/ipam/ip-addresses/?parent=10.${below(4)}.0.0/16&limit=50`)
  add(
    'an address',
    (s) => `/api/ipam/ip-addresses/?address=${encodeURIComponent(pick(s, 'ipam/ip-addresses').address)}`,
  )
  add('prefixes by text', () => `/api/ipam/prefixes/?q=10.${below(250)}&limit=50`)
  add('prefixes within', () => `/api/ipam/prefixes/?within=10.${below(60)}.0.0/16&limit=50`)
  add('prefixes around', () => `/api/ipam/prefixes/?contains=10.${below(60)}.${below(250)}.7&limit=50`)
  add('free addresses', (s) => `/api/ipam/prefixes/${id(s, 'ipam/prefixes')}/available-ips/?limit=10`)
  add('free prefixes', (s) => `/api/ipam/prefixes/${id(s, 'ipam/prefixes')}/available-prefixes/`)
  add('trace', (s) => `/api/dcim/interfaces/${id(s, 'dcim/interfaces')}/trace/`)
  add('elevation', (s) => `/api/dcim/racks/${id(s, 'dcim/racks')}/elevation/`)
  const log = '/api/core/object-changes/?'
  add('log of a device', (s) => `${log}changed_object_type=dcim.device&changed_object_id=${id(s, 'dcim/devices')}`)
  add(
    'log of a kind',
    () =>
      `${log}changed_object_type=${of(['dcim.device', 'dcim.site', 'dcim.interface'])}&limit=50&offset=${below(500)}`,
  )
  add('log of a user', () => `${log}user_id=1&limit=50&offset=${below(500)}`)
  add('log of a user name', () => `${log}user_name=admin&limit=50&offset=${below(500)}`)
  add('log of an action', () => `${log}action=${of(['create', 'update', 'delete'])}&limit=50&offset=${below(500)}`)
  add(
    'log of a request',
    (s) => `${log}request_id=${pick(s, 'core/object-changes').request_id}&limit=${40 + below(20)}`,
  )
  add('log after a time', (s) => `${log}time_after=${encodeURIComponent(pick(s, 'core/object-changes').time)}&limit=50`)
  add(
    'log before a time',
    (s) => `${log}time_before=${encodeURIComponent(pick(s, 'core/object-changes').time)}&limit=50`,
  )
  add('log by text', () => `${log}q=${of(['dev', 'eth', 'rack', '10.'])}${below(100)}&limit=50`)
  add('log by a common text', () => `${log}q=${of(['dev', 'eth', 'rack', 'adm'])}&limit=${40 + below(20)}`)
  add('log of names', () => `${log}object_repr__ic=${of(['dev', 'eth', 'rack'])}${below(100)}&limit=50`)
  for (const [path, tabs] of Object.entries({
    'dcim/devices': ['interfaces', 'changelog', 'journal'],
    'ipam/prefixes': ['ip-addresses', 'prefixes'],
    'dcim/sites': ['changelog'],
  }))
    for (const tab of tabs) add(`page ${path} of one, ${tab}`, (s) => `/${path}/${id(s, path)}/${tab}/`, 'text/html')
  add('page of the search', (s) => `/search/?q=${part(pick(s, 'dcim/devices').display, 4)}`, 'text/html')
  add('page of the search, two letters', (s) => `/search/?q=${part(pick(s, 'dcim/devices').display, 2)}`, 'text/html')
  add('first page of all', () => '/', 'text/html')
  return kinds
}

const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]

async function measured(server, { pathOf, accept }) {
  const times = []
  let slowest = ''
  for (let n = 0; n <= rounds; n++) {
    const path = pathOf(server)
    if (path === undefined) return undefined
    const before = server.cpu()
    const { status } = await server.ask(path, accept)
    const ms = (server.cpu() - before) / 1e6
    if (status !== 200) return { status, path }
    if (n === 0) continue // prepares its statements
    if (!times.length || ms > Math.max(...times)) slowest = path
    times.push(ms)
  }
  times.sort((a, b) => a - b)
  return { least: times[0], p50: at(times, 0.5), p95: at(times, 0.95), slowest }
}

const port = 20_000 + below(1) + (process.pid % 20_000)
const servers = [new Server(opt.small, port), new Server(opt.large, port + 1)]
const results = {}
try {
  for (const server of servers) await server.ready()
  const schema = JSON.parse((await servers[0].ask('/api/schema/?format=json')).text)
  const number = (value) => value.toFixed(2).padStart(8)
  console.log(`${'ms'.padEnd(50)}   small: least, p50, p95      large: least, p50, p95      ratio: p50, p95`)
  for (const [name, kind] of await kindsOf(servers, schema)) {
    const [small, large] = [await measured(servers[0], kind), await measured(servers[1], kind)]
    if (!small || !large) continue
    if (small.status || large.status) {
      console.log(`${name.padEnd(50)} ${small.status ?? 200} ${large.status ?? 200} ${small.path ?? large.path}`)
      continue
    }
    const ratios = [large.p50 / small.p50, large.p95 / small.p95]
    results[name] = { small, large }
    const grows = (ratios[0] > 2 && large.p50 > 3) || (ratios[1] > 2 && large.p95 > 3)
    if (grows || opt.all)
      console.log(
        `${name.padEnd(50)} ${[small, large].map((each) => [each.least, each.p50, each.p95].map(number).join(' ')).join('  ')}  ${ratios.map(number).join(' ')}  ${large.slowest}`,
      )
  }
  const kept = Object.values(results)
  const growing = kept.filter(({ small, large }) => large.p50 > 2 * small.p50 && large.p50 > 3)
  console.log(`${kept.length} kinds, ${growing.length} of them grow`)
} finally {
  for (const server of servers) {
    server.agent.destroy()
    server.child.kill()
  }
}
if (opt.json) writeFileSync(opt.json, JSON.stringify(results, null, 1))
