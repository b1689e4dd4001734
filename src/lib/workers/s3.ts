// Runs in a thread of its own: to take in and hash many files is work that requests must not wait for.
import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'
import { AwsV4Signer } from 'aws4fetch'
import { askOutside } from '../ask-outside.ts'
import { foundFile, type FoundFile, type Limits, TooMuch } from '../files-below.ts'
import { skipping } from '../glob.ts'

/** Which objects of a bucket to fetch, how much at most, and which networks must not be called. */
export interface BucketRequest {
  /** `https://host/bucket/prefix`. */
  url: string
  /** Empty for a bucket that is open to everybody. */
  keyId: string
  secret: string
  /** Patterns of objects to leave out. */
  rules: readonly string[]
  most: Limits
  denied: readonly string[]
}
/** The objects, each in memory of its own, or why there are none. */
export type BucketAnswer = { files: BucketFile[] } | { error: string }
type BucketFile = Omit<FoundFile, 'data'> & { data: Uint8Array<ArrayBuffer> }

/** Objects that are asked for at once. */
const AtOnce = 8
/** Bytes of one page of a list: a thousand keys of a thousand bytes, and what stands around them. */
const MaxPage = 8_000_000
/** Where the path of a file ends: longer keys are left out. */
const LongestPath = 1000

const { url, keyId, secret, rules, most, denied } = workerData as BucketRequest
const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new SecureAgent({ keepAlive: true }) }

/** Where a bucket is, and which of its keys are meant. */
interface Place {
  server: URL
  bucket: string
  prefix: string
  /** The name of the region, which a signature is for; other servers than Amazon's take the first one. */
  region: string
}

/** Throws `URIError` or `TypeError` where it is no address. */
function placeIn(address: string): Place {
  const server = new URL(address)
  const [bucket = '', ...within] = server.pathname.slice(1).split('/').map(decodeURIComponent)
  const region = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com$/.exec(server.hostname)?.[1] ?? 'us-east-1'
  return { server, bucket, prefix: within.join('/'), region }
}

/** Asks for something of the bucket; answers its bytes. Rejects with what the server says where it refuses. */
async function get(
  { server, bucket, region }: Place,
  key: string,
  query: Record<string, string>,
  max: number,
): Promise<Buffer> {
  const path = [bucket, ...(key ? key.split('/') : [])].map(encodeURIComponent).join('/')
  const asked = new URL(`/${path}${key ? '' : '/'}`, server.origin)
  for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, value)
  const by = { accessKeyId: keyId, secretAccessKey: secret, service: 's3', region }
  const signed = keyId
    ? await new AwsV4Signer({ url: asked.href, ...by }).sign()
    : { url: asked, headers: new Headers() }
  const headers = Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>)
  const agent = agents[asked.protocol as keyof typeof agents]
  const { response } = await askOutside({ url: signed.url, method: 'GET', headers, denied, agent }, 0)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > max) throw new TooMuch(`an answer has more than ${max} bytes`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (response.statusCode === 200) return bytes
  const said = /<Message>([^<]{1,200})/.exec(bytes.toString())?.[1]
  throw new Error(said ?? `the server answers ${response.statusCode}`)
}

/** Of an element without others in it, whose text is asked for as it stands in addresses. */
const textIn = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''

/** The keys that are wanted, page by page. */
async function keys(place: Place): Promise<string[]> {
  const skips = skipping(rules)
  // What begins with a dot is hidden, as in a folder; so is what would lead out of the bucket.
  const isWanted = (key: string) =>
    !key.endsWith('/') &&
    key.length <= LongestPath &&
    !key.split('/').some((part) => part.startsWith('.')) &&
    !skips(key)
  const found: string[] = []
  let [bytes, seen] = [0, 0]
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query: Record<string, string> = { 'list-type': '2', 'encoding-type': 'url', prefix: place.prefix }
    if (token) query['continuation-token'] = token
    const page: string = (await get(place, '', query, MaxPage)).toString()
    for (const [, entry = ''] of page.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
      if (++seen > 10 * most.files) throw new TooMuch(`there are more than ${10 * most.files} objects`)
      const key = decodeURIComponent(textIn(entry, 'Key').replaceAll('+', ' '))
      const size = Number(textIn(entry, 'Size'))
      if (!isWanted(key) || !(size <= most.eachBytes)) continue
      bytes += size
      if (found.push(key) > most.files) throw new TooMuch(`there are more than ${most.files} objects`)
      if (bytes > most.bytes) throw new TooMuch(`the objects have more than ${most.bytes} bytes`)
    }
    token = textIn(page, 'IsTruncated') === 'true' ? textIn(page, 'NextContinuationToken') : undefined
    if (token === '') throw new Error('the list of objects has no next page')
  }
  return found
}

async function fetchFiles(): Promise<BucketAnswer> {
  const place = placeIn(url)
  const wanted = await keys(place)
  const files: BucketFile[] = []
  const next = wanted.values()
  const work = async (): Promise<void> => {
    for (const key of next) {
      const data = Uint8Array.from(await get(place, key, {}, most.eachBytes))
      files.push(foundFile(key, data))
    }
  }
  await Promise.all(Array.from({ length: AtOnce }, work))
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

void fetchFiles()
  .catch((error: Error): BucketAnswer => ({ error: error.message || String(error) }))
  .then((told) => parentPort!.postMessage(told, 'files' in told ? told.files.map(({ data }) => data.buffer) : []))
