// Runs in a thread of its own, since unpacking a repository is work that requests must not wait for.
import { mkdtemp, rm } from 'node:fs/promises'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import git, { type HttpClient } from 'isomorphic-git'

/** What to fetch, and how much at most. */
export interface GitRequest {
  url: string
  branch: string
  username: string
  password: string
  maxBytes: number
  maxFiles: number
}
/** The files of the branch's last commit, or why there are none. */
export type GitAnswer = { files: { path: string; data: Uint8Array }[] } | { error: string }

const { url, branch, username, password, maxBytes, maxFiles } = workerData as GitRequest

/** The library's way to the network, with an end to what it takes in. */
const http: HttpClient = {
  request: async ({ url, method = 'GET', headers = {}, body }) => {
    const sent: Uint8Array[] = []
    for await (const chunk of body ?? []) sent.push(chunk)
    const response = await fetch(url, { method, headers, ...(sent.length ? { body: Buffer.concat(sent) } : {}) })
    return {
      url: response.url,
      method,
      headers: Object.fromEntries(response.headers),
      statusCode: response.status,
      statusMessage: response.statusText,
      body: counted(response),
    }
  },
}

async function* counted({ body }: Response): AsyncIterableIterator<Uint8Array> {
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the repository has more than ${maxBytes} bytes`)
    yield chunk
  }
}

async function fetchFiles(dir: string): Promise<GitAnswer> {
  const onAuth = () => (username || password ? { username, password } : { cancel: true })
  await git.clone({
    fs,
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
  const files: { path: string; data: Uint8Array }[] = []
  let size = 0
  await git.walk({
    fs,
    dir,
    trees: [git.TREE({ ref: 'HEAD' })],
    map: async (path, [entry]) => {
      if (path === '.') return undefined
      if (!entry || path.split('/').at(-1)!.startsWith('.')) return null // not looked into
      if ((await entry.type()) !== 'blob' || (await entry.mode()) === 0o120000) return undefined
      const data = (await entry.content()) ?? new Uint8Array()
      size += data.length
      if (files.length >= maxFiles) throw new Error(`there are more than ${maxFiles} files`)
      if (size > maxBytes) throw new Error(`the files have more than ${maxBytes} bytes`)
      files.push({ path, data: Uint8Array.from(data) })
    },
  })
  return { files }
}

async function answer(): Promise<GitAnswer> {
  const dir = await mkdtemp(join(tmpdir(), 'cabinet-git-'))
  try {
    return await fetchFiles(dir)
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
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

void answer().then((files) => parentPort!.postMessage(files))
