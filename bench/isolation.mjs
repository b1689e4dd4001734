#!/usr/bin/env node
// How long one user waits for others: "one device" is asked for again and again, first alone, then beside a client that
// runs slow requests in a loop, then beside one that writes in bulk.
//   npm run bench:isolation -- --base-url http://127.0.0.1:8080 --token TOKEN --ids ids.json [--seconds 8] [--bulk 500]
// Prints p50, p99 and the most, in ms. --ids is what the loader of an inventory wrote: {"dcim/devices": [1, 2, …], …}.
// The bulk changes the comments of so many devices at once.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { parseArgs } from 'node:util'

const { values: opt } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    token: { type: 'string' },
    ids: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    bulk: { type: 'string', default: '500' },
  },
})
if (!opt['base-url'] || !opt.token || !opt.ids) {
  console.error('usage: npm run bench:isolation -- --base-url URL --token TOKEN --ids FILE [--seconds N] [--bulk N]')
  process.exit(2)
}
const base = new URL(opt['base-url'])
const authorization = /\s/.test(opt.token) ? opt.token : `Token ${opt.token}`
const devices = JSON.parse(readFileSync(opt.ids, 'utf8'))['dcim/devices']
const duration = Math.min(600, Number(opt.seconds) || 8) * 1000
const bulk = Math.min(devices.length, Math.max(1, Number(opt.bulk) || 500))

const slow = [
  '/api/dcim/devices/?limit=1000',
  '/api/dcim/interfaces/?limit=1000',
  '/api/ipam/ip-addresses/?limit=1000',
  '/api/dcim/devices/?q=e-0',
  '/api/dcim/interfaces/?name__ire=th[13]$&limit=1000',
  '/api/core/object-changes/?limit=1000',
  '/api/dcim/devices/?limit=1000&ordering=-name',
  '/dcim/devices/export/?_as=csv&name__isw=device-00',
  '/dcim/interfaces/?per_page=1000',
  '/api/dcim/racks/?limit=1000',
]

function ask(agent, method, path, body) {
  return new Promise((resolve, reject) => {
    const payload = body && Buffer.from(JSON.stringify(body))
    const start = performance.now()
    const headers = {
      authorization,
      ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
    }
    http
      .request(
        { agent, method, host: base.hostname, port: base.port, path: base.pathname.replace(/\/$/, '') + path, headers },
        (response) => {
          response.resume().on('end', () => resolve({ ms: performance.now() - start, status: response.statusCode }))
        },
      )
      .on('error', reject)
      .end(payload)
  })
}
const agent = () => new http.Agent({ keepAlive: true, maxSockets: 1 })

/** Asks for one device after the other until the time is over, while `beside` runs in a loop. */
async function measure(name, beside) {
  let isOver = false
  const others = (async () => {
    for (let i = 0; beside && !isOver; i++) await beside(i)
  })()
  const own = agent()
  const times = []
  const end = performance.now() + duration
  for (let i = 0; performance.now() < end; i++) {
    const { ms, status } = await ask(own, 'GET', `/api/dcim/devices/${devices[(i * 7919) % devices.length]}/`)
    if (status !== 200) throw new Error(`${status}`)
    times.push(ms)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  isOver = true
  await others
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1).padStart(8)
  console.log(
    `${name.padEnd(22)} ${String(times.length).padStart(6)}  p50 ${at(0.5)}  p99 ${at(0.99)}  most ${at(1)} ms`,
  )
}

const theirs = agent()
await measure('warming', async (i) => ask(theirs, 'GET', slow[i % slow.length]))
await measure('alone')
await measure('beside slow reads', async (i) => ask(theirs, 'GET', slow[i % slow.length]))
await measure('beside bulk writes', async (i) => {
  const body = Array.from({ length: bulk }, (_, k) => ({
    id: devices[(i * bulk + k) % devices.length],
    comments: `bulk ${i}`,
  }))
  const { status } = await ask(theirs, 'PATCH', '/api/dcim/devices/', body)
  if (status !== 200) throw new Error(`bulk ${status}`)
})
process.exit()
