import type { Config } from './config.ts'

export interface RequestLine {
  request_id: string
  /** Address of who asks. */
  client: string
  user: string
  method: string
  path: string
  status: number
  ms: number
}

let waiting = ''

/** One line for a request, as JSON or text; lines of one turn of the event loop are written together. */
export function log(config: Config, line: RequestLine): void {
  const isFailure = line.status >= 500
  if (config.logLevel === 'none' || (config.logLevel !== 'info' && config.logLevel !== 'debug' && !isFailure)) return
  const ms = Math.round(line.ms * 100) / 100
  if (waiting === '') setImmediate(flush)
  waiting +=
    config.logFormat === 'json'
      ? `${JSON.stringify({ time: new Date().toISOString(), level: isFailure ? 'error' : 'info', ...line, ms })}\n`
      : `${new Date().toISOString()} ${line.status} ${line.method} ${line.path} ${ms} ms ${line.client || '-'} ${line.user || '-'} ${line.request_id}\n`
}

function flush(): void {
  const lines = waiting
  waiting = ''
  process.stdout.write(lines)
}

/** One line for something an administrator should see. `facts` are texts and numbers, added to it by name. */
export function logWarning(config: Config, message: string, facts: object): void {
  if (config.logLevel === 'none' || config.logLevel === 'error') return
  if (waiting === '') setImmediate(flush)
  const time = new Date().toISOString()
  waiting +=
    config.logFormat === 'json'
      ? `${JSON.stringify({ time, level: 'warning', message, ...facts })}\n`
      : `${time} warning: ${message} ${JSON.stringify(facts)}\n`
}
