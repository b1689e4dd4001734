import { html, raw } from 'hono/html'
import { loginHref } from '../http/admission.ts'
import { ApiError, type Answer } from '../http/request.ts'
import { type FormData, readForm } from './form-data.ts'
import { csrf, plainPage } from './frame.ts'
import type { Visit } from './visit.ts'

/**
 * The page for a form whose session ended while it was typed: it holds all that was sent, to send it again once the
 * browser is logged in, in another tab, by whichever way. Undefined for what is no form of this browser, or is larger
 * than bodies of strangers may be.
 */
export async function typedBefore(visit: Visit): Promise<Answer | undefined> {
  let data: FormData
  try {
    data = await readForm(visit)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
  const names = data.names().filter((name) => name !== 'csrfmiddlewaretoken')
  const kept = names.flatMap((name) =>
    data.all(name).map((text) => html`<input type="hidden" name="${name}" value="${text}">`),
  )
  const files = names.flatMap((name) => {
    const file = data.file(name)
    return file ? [html`<label>${file.name}, once more: <input type="file" name="${name}"></label>`] : []
  })
  const { basePath } = visit.config
  const action = `${basePath}${visit.path}${visit.query.size ? `?${visit.query}` : ''}`
  return plainPage(visit, {
    title: 'You are logged out',
    isLogin: true,
    status: 403,
    headers: { 'cache-control': 'no-store' }, // what was typed may be a password
    body: html`<p class="message bad" role="alert">Your session ended before this was done. Nothing you typed is lost:
<a href="${basePath}/login/" target="_blank" rel="noopener">log in</a> (in another tab), come back here, and go on.</p>
<form class="form" method="post" action="${action}"${
      files.length ? raw(' enctype="multipart/form-data" hx-encoding="multipart/form-data"') : ''
    }>${csrf(visit)}${kept}${files}<p class="submit"><button class="primary">Go on</button>
<a class="button" data-leave href="${loginHref(visit)}">Leave it</a></p></form>`,
  })
}
