import { html } from 'hono/html'
import { laterPageFile } from './assets.ts'

/** HTML that `html` made, safe to put into more of it. */
export type Html = ReturnType<typeof html>

const style = laterPageFile(
  'pages.css',
  `body{font:14px/1.45 system-ui,sans-serif;margin:0 auto;max-width:72rem;padding:1rem;color:#1b2430;background:#f4f6f8}
nav{display:flex;gap:1rem;border-bottom:1px solid #d5dce3;padding-bottom:.5rem}a{color:#0b568f}pre{background:#fff;border:1px solid #d5dce3;border-radius:6px;padding:1rem;overflow:auto}
label{display:block;margin:.6rem 0}form.filters{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.2rem 1rem}form.filters label{margin:0;font-size:.85rem}form.filters input{width:100%;box-sizing:border-box}form.filters button{align-self:end}
table{border-collapse:collapse;width:100%;margin:.8rem 0}th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #d5dce3;vertical-align:top}figure{display:flex;flex-wrap:wrap;gap:1rem;margin:1rem 0}object{max-width:100%;background:#fff;border-radius:6px}input,select,textarea{font:inherit;padding:.3rem .5rem;border:1px solid #7b8794;border-radius:4px}textarea{width:100%;font-family:ui-monospace,monospace}
button{font:inherit;padding:.35rem .9rem;border:1px solid #0b568f;border-radius:4px;background:#0b568f;color:#fff;cursor:pointer}form.inline{display:inline}form.inline button{border:0;background:none;color:#0b568f;padding:0;text-decoration:underline}.problem{color:#a4161a}details{margin:.8rem 0}
@media (prefers-color-scheme:dark){body{background:#10151b;color:#dde5ee}pre{background:#182029;border-color:#2c3844}a,form.inline button{color:#82bdf2}input,select,textarea{background:#182029;color:inherit}}
`,
)

/** A whole page. `scripts`: paths of files that it runs, below the base path. */
export const page = (basePath: string, title: string, body: Html, scripts: readonly string[] = []): Html =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – Cabinet</title><link rel="stylesheet" href="${basePath}${style()}">${scripts.map(
    (path) => html`<script src="${basePath}${path}" defer></script>`,
  )}</head>
<body>${body}</body></html>
`
