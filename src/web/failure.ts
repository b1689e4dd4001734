import { html } from 'hono/html'
import type { Answer } from '../http/request.ts'
import { failure } from '../http/failures.ts'
import { RefusedFilters } from '../http/lists.ts'
import { filterName } from './chips.ts'
import { page, plainPage } from './frame.ts'
import { hereAt } from './moment.ts'
import { NoSuchObject, waysOn } from './no-such-object.ts'
import type { Visit } from './visit.ts'

const Titles: Readonly<Record<number, string>> = {
  400: 'This cannot be shown',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible',
  413: 'Too large',
  500: 'Something went wrong',
  503: 'Busy',
  507: 'Disk full',
}

/** The lines to say of a refused query; filters by the names people have. */
export const linesOf = (error: Error, said: unknown): string[] => {
  const nameOf = (name: string) => (error instanceof RefusedFilters ? filterName(error.m, name) : name)
  return Object.entries(said as Record<string, unknown>).map(([name, text]) => {
    const words = [text].flat(3).join(' ')
    return ['detail', 'error', 'at'].includes(name) ? words : `${nameOf(name)}: ${words}`
  })
}

/** What failed: its status and headers, a title for it, and the lines to say; filters by the names people have. */
export function told(error: Error) {
  const { status, body, headers } = failure(error)
  const said = JSON.parse(String(body)) as Record<string, unknown>
  const { 'content-type': _, ...more } = headers ?? {}
  return {
    status,
    title: Titles[status] ?? `Error ${status}`,
    headers: more,
    isOfMoment: 'at' in said,
    lines: html`<div class="message bad"
      role="alert">${linesOf(error, said).map((line) => html`<p>${line}</p>`)}</div>`,
  }
}

/** What failed, as a page with the frame around it. */
export function failurePage(visit: Visit, error: Error): Answer {
  const { lines, isOfMoment, ...content } = told(error)
  const isAsked = content.status === 400 && visit.query.size > 0 && !isOfMoment
  return page(visit, {
    ...content,
    body: html`${lines}
<p>${error instanceof NoSuchObject && !isOfMoment ? waysOn(visit, error) : ''}${
      isAsked ? html`<a class="button primary" href="${visit.config.basePath}${visit.path}">Without filters</a> ` : ''
    }${
      isOfMoment ? html`<a class="button primary" href="${hereAt(visit, null)}" hx-boost="false">As it is now</a> ` : ''
    }<a class="button" href="${visit.config.basePath}/">Home</a></p>`,
  })
}

/** The same on the way in, where nobody is logged in. */
export function failureBefore(visit: Visit, error: Error): Answer {
  const { lines, isOfMoment: _, ...content } = told(error)
  return plainPage(visit, {
    ...content,
    body: html`${lines}<p><a class="button" href="${visit.config.basePath}/login/">Log in</a></p>`,
  })
}
