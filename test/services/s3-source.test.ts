import assert from 'node:assert/strict'
import { createHmac, createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { serve } from '../support/server.ts'

const [Key, Secret, Region] = ['AKIDLAB', 'hush/hush+hush', 'us-east-1']

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Whether a request is signed as "AWS Signature Version 4" has it, worked out here once more. */
function isSigned(request: IncomingMessage): boolean {
  const url = new URL(request.url!, 'http://s3')
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, key, day, region, names = '', signature] = given.exec(request.headers.authorization ?? '') ?? []
  if (key !== Key || region !== Region) return false
  const query = [...url.searchParams].map((pair) => pair.map(encoded).join('=')).sort()
  const path = url.pathname.split('/').map((part) => encoded(decodeURIComponent(part)))
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const hash = String(request.headers['x-amz-content-sha256'])
  const canonical = ['GET', path.join('/'), query.join('&'), headers.join(''), names, hash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, digest].join('\n')
  const signing = [day!, region!, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${Secret}`)
  return hmac(signing, text).toString('hex') === signature
}

/** A server of one bucket, which lists two objects at a time. */
async function bucketServer(objects: Map<string, string>, isOpen = false): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://s3')
    const refuse = (status: number, message: string) =>
      response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>X</Code><Message>${message}</Message></Error>`)
    if (!isOpen && !isSigned(request)) return refuse(403, 'The signature does not match')
    const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent)
    if (bucket !== 'lab') return refuse(404, 'The specified bucket does not exist')
    if (rest.join('/')) return response.end(objects.get(rest.join('/')))
    assert.equal(url.searchParams.get('encoding-type'), 'url')
    const all = [...objects].filter(([key]) => key.startsWith(url.searchParams.get('prefix') ?? '')).sort()
    const from = Number(url.searchParams.get('continuation-token') ?? 0)
    const sizeOf = (key: string, text: string) => (key.endsWith('.large') ? 20_000_000 : Buffer.byteLength(text))
    const named = (key: string) => encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+')
    const listed = all
      .slice(from, from + 2)
      .map(([key, text]) => `<Contents><Key>${named(key)}</Key><Size>${sizeOf(key, text)}</Size></Contents>`)
    const isMore = from + 2 < all.length
    response.end(
      `<?xml version="1.0"?><ListBucketResult><Name>lab</Name><IsTruncated>${isMore}</IsTruncated>${listed.join('')}${
        isMore ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
      }</ListBucketResult>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const { call } = await serve()
let n = 0
/** Makes a source and synchronises it; answers what its job said. */
async function synced(source_url: string, parameters: object | null): Promise<{ id: number; said: string }> {
  const body = { name: `S${++n}`, type: 'amazon-s3', source_url, parameters, ignore_rules: '*.md' }
  const { id } = (await call('POST', '/api/core/data-sources/', body)).json
  return { id, said: await again(id) }
}
async function again(id: number): Promise<string> {
  assert.equal((await call('POST', `/api/core/data-sources/${id}/sync/`)).status, 200)
  for (;;) {
    const { status } = (await call('GET', `/api/core/data-sources/${id}/`)).json
    if (!['queued', 'syncing'].includes(status.value)) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const [job] = (await call('GET', `/api/core/jobs/?object_id=${id}&ordering=-id&limit=1`)).json.results
  return job.error || job.status.value
}
const files = async (id: number) =>
  (await call('GET', `/api/core/data-files/?source_id=${id}&ordering=path`)).json.results.map(
    ({ path, size }: { path: string; size: number }) => [path, size],
  )
const keys = { aws_access_key_id: Key, aws_secret_access_key: Secret }

test('a bucket is read with signed requests, page by page, and follows changes', async () => {
  const objects = new Map([
    ['ntp.yaml', 'a: 1'],
    ['sub folder/b+c & d (1)*.j2', 'äöü'],
    ['sub folder/', ''],
    ['notes.md', 'left out'],
    ['.hidden/x', 'left out'],
    ['x.large', ''],
    ['z', ''],
  ])
  const base = await bucketServer(objects)
  const { id, said } = await synced(`${base}/lab`, keys)
  assert.equal(said, 'completed')
  assert.deepEqual(await files(id), [
    ['ntp.yaml', 4],
    ['sub folder/b+c & d (1)*.j2', 6],
    ['z', 0],
  ])
  objects.set('ntp.yaml', 'a: 22').delete('z')
  assert.equal(await again(id), 'completed')
  assert.deepEqual(await files(id), [
    ['ntp.yaml', 5],
    ['sub folder/b+c & d (1)*.j2', 6],
  ])
  const part = await synced(`${base}/lab/sub%20folder`, keys)
  assert.deepEqual(await files(part.id), [['sub folder/b+c & d (1)*.j2', 6]])
})

test('a bucket that cannot be read says why, and keeps what was read', async () => {
  const base = await bucketServer(new Map([['a', '1']]))
  const said = async (url: string, parameters: object | null = keys) => (await synced(url, parameters)).said
  assert.match(await said(`${base}/lab`, null), /cannot be read: The signature does not match/)
  assert.match(await said(`${base}/lab`, { ...keys, aws_secret_access_key: 'other' }), /signature does not match/)
  assert.match(await said(`${base}/none`), /The specified bucket does not exist/)
  assert.match(await said(base), /names it behind its server/)
  assert.match(await said('ftp://127.0.0.1/lab'), /names it behind its server/)
  assert.match(await said('http://127.0.0.1:9/%zz'), /cannot be read: URI malformed/)
  assert.match(await said('http://127.0.0.1:99999/lab'), /cannot be read: Invalid URL/)
  assert.match(await said('http://169.254.169.254/lab'), /must not be called/)
  assert.match(await said('http://127.0.0.1:9/lab'), /cannot be read: /)
  const open = await bucketServer(new Map([['a', '1']]), true)
  assert.equal(await said(`${open}/lab`, null), 'completed', 'one that is open to everybody needs no key')
})
