// Runs in a thread of its own, since unpacking a repository is work that requests must not wait for.
import * as fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import git, { type HttpClient } from 'isomorphic-git'
import { askOutside } from '../ask-outside.ts'
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
    const asking = { url: new URL(url), method, headers, body: Buffer.concat(sent), denied }
    const answer = await askOutside(asking, MaxRedirects)
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
