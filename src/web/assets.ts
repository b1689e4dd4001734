import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { getMimeType } from 'hono/utils/mime'
import { type Answer, noSuchPage } from '../http/request.ts'
import { asset } from '../lib/assets.ts'

interface File {
  readonly body: Buffer
  readonly zipped: Buffer
  readonly type: string
}

/** Files that pages load, by name. A name has a hash of the content, so browsers keep the file for good. */
const files = new Map<string, File>()

/** Serves a file to pages; answers its path below the base path, such as `/assets/browse-1f2e3d4c.css`. */
function pageFile(name: string, body: string | Buffer): string {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  const full = name.replace(/(?=\.\w+$)/, `-${hash}`)
  const bytes = Buffer.from(body)
  files.set(full, { body: bytes, zipped: gzipSync(bytes), type: getMimeType(name) ?? 'application/octet-stream' })
  return `/assets/${full}`
}

/** Files of the executable that pages load, by the name they have for browsers. */
export const Kept = {
  'cabinet.css': 'pages/cabinet.css',
  'cabinet.js': 'pages/cabinet.js',
  'answers.js': 'pages/answers.js',
  'form.js': 'pages/form.js',
  'rack.js': 'pages/rack.js',
  'watch.js': 'pages/watch.js',
  'dashboard.js': 'pages/dashboard.js',
  'graphql.js': 'pages/graphql.js',
  'graphql.css': 'pages/graphql.css',
  'htmx.js': 'htmx/htmx.min.js',
  'picker.js': 'picker/js/tom-select.popular.min.js',
  'browse.js': 'pages/browse.js',
  'browse.css': 'pages/browse.css',
  'icons.svg': 'pages/icons.svg',
  'favicon.svg': 'pages/favicon.svg',
} as const
type AssetName = keyof typeof Kept
const paths = new Map<AssetName, string>()

/** Address of such a file; read when it is first asked for. */
export function assetHref(basePath: string, name: AssetName): string {
  let path = paths.get(name)
  if (!path) {
    const bytes = asset(Kept[name])
    if (!bytes) throw new Error(`${Kept[name]} is missing`)
    path = pageFile(name, bytes)
    paths.set(name, path)
  }
  return `${basePath}${path}`
}

function makeAll(): void {
  for (const each of Object.keys(Kept)) assetHref('', each as AssetName)
}

/** The answer to a request for a file by its name with the hash. */
export function fileAnswer(name: string, takesGzip: boolean): Answer {
  if (!files.has(name)) makeAll() // a page from before a restart, or from another thread
  const file = files.get(name)
  if (!file) throw noSuchPage()
  const headers = {
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  }
  return takesGzip
    ? { status: 200, body: file.zipped, headers: { ...headers, 'content-encoding': 'gzip' } }
    : { status: 200, body: file.body, headers }
}
