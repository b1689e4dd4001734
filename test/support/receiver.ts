import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  json: any
}
interface Receiver {
  url: string
  received: Received[] /** The status of the next answers; `undefined` never answers. */
  answer: (request: Received) => number | undefined
  /** The body of its answers. */
  says: string
  until: (count: number, ms?: number) => Promise<Received[]>
}

/** A server that webhooks may call. Closed after the tests of the file. */
export async function receive(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (body += chunk))
      .on('end', () => {
        const one: Received = {
          method: request.method!,
          path: request.url!,
          headers: request.headers,
          body,
          json: /json/.test(request.headers['content-type'] ?? '') && body ? JSON.parse(body) : undefined,
        }
        received.push(one)
        const status = self.answer(one)
        if (status === undefined) return
        response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end(self.says)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const self: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => 200,
    says: '',
    until: async (count, ms = 8000) => {
      for (const end = Date.now() + ms; received.length < count && Date.now() < end; )
        await new Promise((resolve) => setTimeout(resolve, 20))
      return received
    },
  }
  return self
}
