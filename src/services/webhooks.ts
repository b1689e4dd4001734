import { parseExact, stringifyExact } from '../lib/exact-json.ts'
import { createHmac } from 'node:crypto'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { RowNamed } from '../declare/model.ts'
import { isFileOf } from '../store/copy.ts'
import type { Store } from '../store/open.ts'
import { readRegularFile } from '../lib/regular-file.ts'
import { send } from '../lib/send.ts'
import { webhookOf } from '../rules/job-queue.ts'
import type { Job, Outcome } from './jobs.ts'
import { renderText } from './webhook-templates.ts'

type Webhook = RowNamed<'extras.webhook'>

/** How large a file of certificates may be, in bytes. */
const MaxCertificates = 1_048_576
/** Headers that say where a request ends, and those of the connection alone: no template makes them. */
const OfTheConnection = /^(?:connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/
/** The longest pause before a delivery is tried again. */
const MaxPause = 3_600_000

/**
 * Delivers one payload to the webhook of its lane; a receiver that does not answer 2xx is tried again, ever more
 * rarely.
 */
export async function deliver(store: Store, job: Job): Promise<Outcome> {
  const webhook = store.rows.row('extras.webhook', webhookOf(job.lane) ?? 0)
  if (!webhook) return { status: 'failed', message: 'The webhook is gone.' }
  const { webhookTimeout, webhookRetries, webhookBackoff, webhookDeniedNetworks } = store.config
  const request = await requestOf(webhook, parseExact(job.payload ?? '{}') as Record<string, unknown>, job.job_id)
  const ca = webhook.ca_file_path ? await certificatesIn(webhook.ca_file_path, store) : undefined
  const answer = await send({
    ...request,
    timeout: webhookTimeout * 1000,
    verify: Boolean(webhook.ssl_verification),
    ca,
    denied: webhookDeniedNetworks,
  }).then(
    ({ status, text }) => ({
      status,
      response: text,
      ...(status >= 200 && status < 300 ? {} : { text: `the receiver answered ${status}` }),
    }),
    (error: NodeJS.ErrnoException) => ({
      status: null,
      response: '',
      text: error.message || error.code || 'the connection failed',
    }),
  )
  const data = { ...(JSON.parse(job.data ?? '{}') as object), attempts: job.attempts, response: answer.status }
  const { response } = answer
  if (!('text' in answer))
    return { status: 'completed', message: `Delivered to ${webhook.name} at attempt ${job.attempts}.`, data, response }
  const message = `Attempt ${job.attempts}: ${answer.text}`
  if (job.attempts > webhookRetries) return { status: 'failed', message, data, response }
  const delay = Math.min(webhookBackoff * 1000 * 2 ** (job.attempts - 1), MaxPause)
  return { status: 'later', message, data, response, delay }
}

async function certificatesIn(path: string, { db }: Store): Promise<Buffer> {
  if (isFileOf(db.raw.name, path)) throw new Error(`${path} is the database`)
  return readRegularFile(path, MaxCertificates)
}

/** The request that a webhook makes of a payload. Rejects for templates and headers that cannot be used. */
async function requestOf(
  webhook: Webhook,
  payload: Record<string, unknown>,
  deliveryId: string,
): Promise<{ url: string; method: string; headers: Record<string, string>; body: Buffer }> {
  const asker = `webhook ${webhook.id}`
  const body = Buffer.from(
    webhook.body_template ? await renderText(webhook.body_template, payload, asker) : stringifyExact(payload),
  )
  const headers: Record<string, string> = {
    'content-type': webhook.http_content_type,
    'user-agent': 'Cabinet',
    'x-hook-delivery': deliveryId,
  }
  for (const line of (await renderText(webhook.additional_headers, payload, asker)).split(/\r?\n/)) {
    if (!line.trim()) continue
    const [, name, value] = /^([^:]+):(.*)$/.exec(line) ?? []
    if (name === undefined) throw new Error(`the additional headers have a line without a colon: ${line.slice(0, 100)}`)
    const known = name.trim().toLowerCase()
    if (OfTheConnection.test(known)) throw new Error(`the additional headers cannot have ${known}`)
    headers[known] = value!.trim()
  }
  if (webhook.secret) headers['x-hook-signature'] = createHmac('sha512', webhook.secret).update(body).digest('hex')
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  const url = (await renderText(webhook.payload_url, payload, asker)).trim()
  if (!URL.canParse(url)) throw new Error(`the payload URL is none: ${url.slice(0, 100)}`)
  return {
    url,
    method: webhook.http_method,
    headers,
    body,
  }
}
