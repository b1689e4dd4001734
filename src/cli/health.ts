import { request } from 'node:http'
import type { Config } from '../config.ts'
import { parseListen } from '../config/listen.ts'
import type { Input } from './command.ts'

/** What the server of a configuration answers at `/readyz`, with its text; status 0 where none answers. */
export function readiness({ listen, tlsCertificate, basePath }: Config): Promise<{ status: number; text: string }> {
  const { host, port } = parseListen(listen) ?? { host: undefined, port: 0 }
  const there = !host || host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const ask = tlsCertificate ? process.getBuiltinModule('node:https').request : request
  return new Promise((resolve) => {
    const asked = ask(
      { host: there, port, path: `${basePath}/readyz`, timeout: 5000, rejectUnauthorized: false },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.once('close', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    asked.once('timeout', () => asked.destroy(new Error('no answer in five seconds')))
    asked.once('error', ({ message }) => resolve({ status: 0, text: message }))
    asked.end()
  })
}

/** `cabinet health`: 0 where the server of the configuration answers that it is ready. */
export async function health(input: Input): Promise<number> {
  const config = await input.config()
  const { status, text } = await readiness(config)
  if (status === 0) throw new Error(`nobody answers at ${config.listen}: ${text}`)
  process.stdout.write(`${text.trim()}\n`)
  return status === 200 ? 0 : 1
}
