import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ask, scratch, start } from '../support/cli.ts'
import { serve } from '../support/server.ts'
import { until } from '../support/until.ts'

const hasGit = (() => {
  try {
    return execFileSync('git', ['--version']).length > 0
  } catch {
    return false // the test needs git to be a server of it
  }
})()

test('a git source is fetched over HTTP, with its branch and credentials', { skip: !hasGit }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cabinet-git-'))
  after(() => rmSync(folder, { recursive: true }))
  const work = join(folder, 'work')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: work, stdio: 'pipe' })
  mkdirSync(join(work, 'a/.hidden'), { recursive: true })
  git('init', '-q', '-b', 'main')
  for (const [path, text] of [
    ['a/b.txt', 'one'],
    ['a/.hidden/x', 'no'],
    ['.gitignore', ''],
    ['c.md', 'no'],
  ] as const)
    writeFileSync(join(work, path), text)
  git('add', '-A')
  git('commit', '-q', '-m', 'one')
  git('checkout', '-q', '-b', 'other')
  writeFileSync(join(work, 'a/b.txt'), 'two')
  git('commit', '-q', '-a', '-m', 'two')
  git('checkout', '-q', 'main')
  const base = await gitServer(folder, 'u:hush')

  const { call, data } = await serve()
  const make = async (name: string, body: object) =>
    (
      await call('POST', '/api/core/data-sources/', {
        name,
        type: 'git',
        source_url: `${base}/work/.git`,
        ignore_rules: '*.md',
        ...body,
      })
    ).json.id as number
  const synced = async (id: number) => {
    assert.equal((await call('POST', `/api/core/data-sources/${id}/sync/`)).status, 200)
    for (;;) {
      const { json } = await call('GET', `/api/core/data-sources/${id}/`)
      if (!['queued', 'syncing'].includes(json.status.value)) return json.status.value as string
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const files = async (id: number) =>
    (await call('GET', `/api/core/data-files/?source_id=${id}`)).json.results.map((each: any) => [each.path, each.size])
  const hashes = async (id: number) =>
    (await call('GET', `/api/core/data-files/?source_id=${id}`)).json.results.map((each: any) => each.hash)
  const credentials = { username: 'u', password: 'hush' }
  const main = await make('main', { parameters: credentials })
  const other = await make('other', { parameters: { ...credentials, branch: 'other' } })
  assert.deepEqual([await synced(main), await files(main)], ['completed', [['a/b.txt', 3]]])
  assert.deepEqual([await synced(other), await files(other)], ['completed', [['a/b.txt', 3]]])
  assert.notDeepEqual(await hashes(main), await hashes(other))
  for (const body of [
    {},
    { parameters: { ...credentials, branch: 'none' } },
    { source_url: 'ssh://git@example.com/x' },
    { source_url: `${base}/nothing`, parameters: credentials },
  ]) {
    assert.equal(await synced(await make(JSON.stringify(body), body)), 'failed')
  }
  const errors = (await call('GET', '/api/core/jobs/?status=failed')).json.results.map((each: any) => each.error)
  assert.equal(errors.length, 4)
  assert.ok(errors.some((text: string) => /credentials/.test(text)))

  // A few hundred kilobytes that unpack to more than a source may hold.
  git('config', 'core.bigFileThreshold', '1m')
  git('config', 'core.compression', '1')
  truncateSync(join(work, 'c.md'), 300_000_000)
  git('commit', '-q', '-a', '-m', 'three')
  const bomb = await make('bomb', { parameters: credentials })
  const before = process.memoryUsage().rss
  assert.equal(await synced(bomb), 'failed')
  assert.ok(process.memoryUsage().rss - before < 200_000_000)
  const [{ error }] = (await call('GET', '/api/core/jobs/?status=failed&limit=1')).json.results
  assert.match(error, /when it is unpacked/)
  assert.deepEqual(readdirSync(join(data, 'tmp')), [])
})

test('redirects are followed, but not to denied networks; what a killed server left goes at start', async () => {
  const server = createServer((request, response) => {
    const target = request.url!.startsWith('/loop') ? request.url! : 'http://169.254.169.254/latest'
    response.writeHead(302, { location: target }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const data = scratch()
  await (await start(data)).end('SIGTERM')
  mkdirSync(join(data, 'tmp/git-left'), { recursive: true })
  const { base: cabinet } = await start(data)
  assert.equal(existsSync(join(data, 'tmp')), false)
  for (const [path, why] of [
    ['loop', /302/],
    ['away', /169\.254\.169\.254 must not be called/],
  ] as const) {
    const body = { name: path, type: 'git', source_url: `${base}/${path}` }
    const { id } = (await ask(cabinet, 'POST', '/api/core/data-sources/', body)).json
    await ask(cabinet, 'POST', `/api/core/data-sources/${id}/sync/`)
    const job = async () => (await ask(cabinet, 'GET', `/api/core/jobs/?object_id=${id}`)).json.results[0]
    assert.match((await until(job, ({ completed }) => completed !== null)).error, why)
  }
})

/** Serves the repositories of a folder by git's own CGI program, to one user. */
async function gitServer(folder: string, login: string): Promise<string> {
  const wanted = `Basic ${Buffer.from(login).toString('base64')}`
  const server = createServer((request, response) => {
    if (request.headers.authorization !== wanted)
      return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
    const url = new URL(request.url!, 'http://localhost')
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method!,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(request.headers['content-length'] ? { CONTENT_LENGTH: request.headers['content-length'] } : {}),
      },
    })
    request.pipe(child.stdin)
    const chunks: Buffer[] = []
    child.stdout
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const all = Buffer.concat(chunks)
        const end = all.indexOf('\r\n\r\n')
        const headers = Object.fromEntries(
          all
            .subarray(0, end)
            .toString()
            .split('\r\n')
            .map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]),
        )
        response.writeHead(Number(headers.Status?.slice(0, 3) ?? 200), headers).end(all.subarray(end + 4))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
