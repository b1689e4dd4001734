// Runs in a thread of its own, since unpacking a repository is work that requests must not wait for.
import * as fs from 'node:fs'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'
import git, { type HttpClient } from 'isomorphic-git'
import { demandAllowed, lookupPast } from '../denied-networks.ts'
import { foundFile, type FoundFile } from '../files-below.ts'
import { checkPack } from './pack-sizes.ts'

/** What to fetch, into which empty folder, how much at most, and which networks must not be called. */
export interface GitRequest {
  url: string
  branch: string
  username: string
  password: string
  folder: string
  maxBytes: number
  maxFiles: number
  /** Larger files are left out. */
  maxBytesOfFile: number
  denied: readonly string[]
}
/** The files of the branch's last commit, each in memory of its own, or why there are none. */
export type GitAnswer = { files: GitFile[] } | { error: string }
type GitFile = Omit<FoundFile, 'data'> & { data: Uint8Array<ArrayBuffer> }

const {
  url,
  branch,
  username,
  password,
  folder: dir,
  maxBytes,
  maxFiles,
  maxBytesOfFile,
  denied,
} = workerData as GitRequest
const MaxRedirects = 5

/** The library's way to the network, with an end to what it takes in. */
const http: HttpClient = {
  request: async ({ url, method = 'GET', headers = {}, body }) => {
    const sent: Uint8Array[] = []
    for await (const chunk of body ?? []) sent.push(chunk)
    const answer = await ask(new URL(url), method, headers, Buffer.concat(sent), MaxRedirects)
    return {
      url: answer.url.href,
      method,
      headers: Object.fromEntries(
        Object.entries(answer.response.headers).map(([name, value]) => [name, String(value)]),
      ),
      statusCode: answer.response.statusCode ?? 0,
      statusMessage: answer.response.statusMessage ?? '',
      body: counted(answer.response),
    }
  },
}

/** Sends a request, and again where redirects lead; credentials stay with the first server. */
async function ask(
  url: URL,
  method: string,
  headers: Record<string, string>,
  body: Buffer,
  redirects: number,
): Promise<{ url: URL; response: IncomingMessage }> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${url.protocol} is neither http: nor https:`)
  demandAllowed(url, denied)
  const send = url.protocol === 'http:' ? plain : secure
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = method === 'GET' ? {} : { 'content-length': String(body.length) }
    send(url, { method, headers: { ...headers, ...length }, lookup: lookupPast(denied) }, resolve)
      .on('error', reject)
      .end(body)
  })
  const { statusCode = 0, headers: received } = response
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && (method === 'GET' || statusCode >= 307)
  if (!isRedirect || !received.location || redirects === 0) return { url, response }
  response.destroy()
  const next = new URL(received.location, url)
  const kept = Object.entries(headers).filter(([name]) => next.origin === url.origin || !/^authorization$/i.test(name))
  return ask(next, method, Object.fromEntries(kept), body, redirects - 1)
}

async function* counted(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the repository has more than ${maxBytes} bytes`)
    yield chunk
  }
}

/** The library's way to files: a pack is written before it is unpacked, and looked at here first. */
const files = {
  promises: {
    ...fs.promises,
    writeFile: (...[path, data, options]: Parameters<typeof fs.promises.writeFile>) => {
      if (String(path).endsWith('.pack')) checkPack(data as Buffer, { objects: 10 * maxFiles, bytes: maxBytes })
      return fs.promises.writeFile(path, data, options)
    },
  },
}

async function fetchFiles(): Promise<GitAnswer> {
  const onAuth = () => (username || password ? { username, password } : { cancel: true })
  await git.clone({
    fs: files,
    http,
    dir,
    url,
    singleBranch: true,
    depth: 1,
    noCheckout: true,
    noTags: true,
    ...(branch ? { ref: branch } : {}),
    onAuth,
    onAuthFailure: () => ({ cancel: true }),
  })
  const found: GitFile[] = []
  let [size, seen] = [0, 0]
  await git.walk({
    fs: files,
    dir,
    trees: [git.TREE({ ref: 'HEAD' })],
    map: async (path, [entry]) => {
      if (path === '.') return undefined
      if (++seen > 10 * maxFiles) throw new Error('there are too many files and folders')
      if (!entry || path.split('/').at(-1)!.startsWith('.')) return null // not looked into
      if ((await entry.type()) !== 'blob' || (await entry.mode()) === 0o120000) return undefined
      const data = (await entry.content()) ?? new Uint8Array()
      if (data.length > maxBytesOfFile) return undefined
      size += data.length
      if (found.length >= maxFiles) throw new Error(`there are more than ${maxFiles} files`)
      if (size > maxBytes) throw new Error(`the files have more than ${maxBytes} bytes`)
      const own = Uint8Array.from(data)
      found.push({ ...foundFile(path, own), data: own })
    },
  })
  return { files: found }
}

async function answer(): Promise<GitAnswer> {
  try {
    return await fetchFiles()
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    const cause = (error as { cause?: Error }).cause?.message // of fetch
    return {
      error:
        code === 'UserCanceledError'
          ? 'the repository asks for other credentials'
          : cause
            ? `${message}: ${cause}`
            : message,
    }
  }
}

void answer().then((told) =>
  parentPort!.postMessage(told, 'files' in told ? told.files.map(({ data }) => data.buffer) : []),
)
