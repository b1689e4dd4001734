import { raw } from 'hono/html'
import markdownIt from 'markdown-it'

let reader: ReturnType<typeof markdownIt> | undefined

/** Markdown as HTML: tags in it are text, and links lead to known schemes only. */
export function markdown(text: string): ReturnType<typeof raw> {
  reader ??= markdownIt({ html: false, linkify: false, breaks: false })
  return raw(reader.render(text))
}
