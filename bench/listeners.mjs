// What listeners of the stream of changes cost: memory of the server, and time of other requests. Starts a server on an
// empty folder of its own.
//   node bench/listeners.mjs [--listeners 1000] [--filters 1] [--server 'command to serve']
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    listeners: { type: 'string', default: '1000' },
    filters: { type: 'string', default: '1' }, // so many different ones have the listeners, which all hear all changes
    server: { type: 'string', default: `${process.execPath} ${join(import.meta.dirname, '../src/main.ts')} serve` },
  },
})
const count = Number(values.listeners)
const token = '0123456789abcdef0123456789abcdef01234567'
const data = mkdtempSync(join(tmpdir(), 'cabinet-listeners-'))
const child = spawn('/bin/sh', ['-c', `exec ${values.server} --data ${data} --listen 127.0.0.1:0`], {
  env: {
    ...process.env,
    CABINET_SUPERUSER_PASSWORD: 'Cabinet-Bench-Passw0rd',
    CABINET_SUPERUSER_API_TOKEN: token,
    CABINET_LOG_LEVEL: 'none',
    CABINET_MAX_CONNECTIONS_PER_ADDRESS: '0',
  },
  stdio: ['ignore', 'ignore', 'pipe'],
})
const port = await new Promise((resolve, reject) => {
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
    const found = /serves http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
    if (found) resolve(Number(found[1]))
  })
  child.on('exit', () => reject(new Error(said)))
})
const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
const send = async (method, path, body) => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}
const megabytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024
/** Milliseconds of processor time of the server so far. */
const spent = () => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
/** Median and 99th percentile of some requests, in ms. */
async function times(work, n = 300) {
  const all = []
  for (let i = 0; i < n; i++) {
    const began = performance.now()
    await work(i)
    all.push(performance.now() - began)
  }
  all.sort((a, b) => a - b)
  return `${all[n >> 1].toFixed(1)} ms, p99 ${all[Math.floor(n * 0.99)].toFixed(1)} ms`
}

try {
  const site = await send('POST', '/api/dcim/sites/', { name: 'Site', slug: 'site' })
  const path = `/api/dcim/sites/${site.id}/`
  const read = () => send('GET', path)
  const write = (i) => send('PATCH', path, { description: `change ${i}` })
  await times(read, 30)
  await times(write, 30)
  await wait(1000)
  const before = megabytes()
  const heard = new Array(count).fill(0)
  const sockets = []
  for (let i = 0; i < count; i++) {
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      heard[i] += text.split('event: change').length - 1
    })
    const filter = i % Number(values.filters)
    socket.write(
      `GET /api/core/object-changes/stream/${filter ? `?id__lt=${1e9 + filter}` : ''} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Token ${token}\r\naccept: text/event-stream\r\n\r\n`,
    )
    sockets.push(socket)
    if (i % 100 === 99) await wait(50)
  }
  await wait(1500)
  const idle = megabytes()
  await times(read)
  const reads = await times(read)
  const changes = 200
  const cpu = spent()
  const during = await times(write, changes)
  for (let tries = 0; tries < 200 && heard.some((n) => n < changes); tries++) await wait(50)
  const missed = heard.filter((n) => n !== changes).length
  const cost = (spent() - cpu) / changes
  const after = megabytes()
  for (const socket of sockets) socket.destroy()
  await wait(1000)
  const alone = spent()
  const without = await times(write, changes)
  const own = (spent() - alone) / changes
  console.log(
    `${count} listeners: ${(idle - before).toFixed(1)} MB more (${before.toFixed(0)} → ${idle.toFixed(0)} MB)`,
  )
  console.log(`read:  ${reads} with them, ${await times(read)} without`)
  console.log(`write: ${during} with them, ${without} without`)
  console.log(`the server's processor for a write: ${cost.toFixed(1)} ms with them, ${own.toFixed(1)} ms without`)
  console.log(`${missed} listeners missed any of ${changes} changes; ${after.toFixed(0)} MB after that`)
} finally {
  child.kill('SIGKILL')
  await wait(200)
  rmSync(data, { recursive: true, force: true })
}
