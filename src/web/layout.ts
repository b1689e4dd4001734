import { html } from 'hono/html'
import { assetHref } from './assets.ts'

/** HTML that `html` made, safe to put into more of it. */
export type Html = ReturnType<typeof html>

/** A whole page. `scripts`: addresses of files that it runs. */
export const page = (basePath: string, title: string, body: Html, scripts: readonly string[] = []): Html =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport"
  content="width=device-width"><title>${title} – Cabinet</title><link rel="stylesheet"
    href="${assetHref(basePath, 'browse.css')}">${scripts.map(
      (path) => html`<script src="${path}" defer></script>`,
    )}</head>
<body>${body}</body></html>
`
