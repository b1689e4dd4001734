import { html, raw } from 'hono/html'
import type { Answer } from '../../http/request.ts'
import { csrf, leadTo } from '../frame.ts'
import { readForm } from '../form-data.ts'
import { keepPreferences, preference, preferencesOf } from '../preferences.ts'
import type { Visit } from '../visit.ts'
import { accountHref, accountPage, ownId } from './account.ts'
import { textOfJson } from '../../lib/json.ts'

interface Choice {
  path: string
  label: string
  help?: string
  /** Values with what they are called; the first one counts where nothing was chosen. */
  choices: readonly (readonly [value: string, label: string])[]
}

/** What a user may choose, in groups; the names are those of `users/config`. */
const Groups: Readonly<Record<string, readonly Choice[]>> = {
  Lists: [
    {
      path: 'pagination.per_page',
      label: 'Rows a page',
      choices: ['50', '25', '100', '250', '500', '1000'].map((size) => [size, size] as const),
    },
    {
      path: 'pagination.placement',
      label: 'Page numbers',
      choices: [
        ['bottom', 'below the table'],
        ['top', 'above the table'],
        ['both', 'above and below'],
      ],
    },
    {
      path: 'ui.tables.striping',
      label: 'Striped rows',
      choices: [
        ['', 'No'],
        ['true', 'Yes'],
      ],
    },
  ],
  Data: [
    {
      path: 'ui.measurement_system',
      label: 'Measures',
      help: 'Lengths and weights are kept as they were entered; others are worked out from that.',
      choices: [
        ['', 'As they were entered'],
        ['metric', 'Metric'],
        ['imperial', 'Imperial'],
      ],
    },
    {
      path: 'data_format',
      label: 'Data',
      help: 'How config contexts and other data are shown.',
      choices: [
        ['json', 'JSON'],
        ['yaml', 'YAML'],
      ],
    },
    {
      path: 'csv_delimiter',
      label: 'Between columns of CSV',
      help: 'In files that are exported; imports take any of these.',
      choices: [
        ['comma', 'Comma'],
        ['semicolon', 'Semicolon'],
        ['pipe', 'Vertical bar'],
        ['tab', 'Tab'],
      ],
    },
  ],
  Look: [
    {
      path: 'ui.theme',
      label: 'Colours',
      help: 'The button at the top right changes them for this browser until it is told otherwise here.',
      choices: [
        ['', 'As the system has them'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ],
    },
  ],
}
const all = Object.values(Groups).flat()

/** `/user/preferences/`. */
export function preferencesPage(visit: Visit, errors: Readonly<Record<string, string>> = {}, status = 200): Answer {
  ownId(visit)
  const own = preferencesOf(visit)
  const field = ({ path, label, help, choices }: Choice) => {
    const now = textOfJson(preference(own, path) ?? choices[0]![0])
    const id = `f-${path.replaceAll('.', '-')}`
    return html`<div class="field${errors[path] ? ' wrong' : ''}"><label for="${id}">${label}</label><select id="${id}"
      name="${path}"${help ? raw(` aria-describedby="h-${id}"`) : ''}>${choices.map(
        ([value, text]) => html`<option value="${value}"${value === now ? raw(' selected') : ''}>${text}</option>`,
      )}</select>${
        errors[path] ? html`<p class="error" role="alert">${errors[path]}</p>` : ''
      }${help ? html`<p class="help" id="h-${id}">${help}</p>` : ''}</div>`
  }
  return accountPage(
    visit,
    'preferences',
    html`${
      visit.query.has('saved') && status === 200
        ? html`<p class="message good" role="status">Your preferences were saved.</p>`
        : ''
    }<form class="form" method="post" action="${accountHref(visit, 'preferences')}"
      hx-boost="false">${csrf(visit)}${Object.entries(Groups).map(
        ([title, choices]) => html`<fieldset><legend>${title}</legend>${choices.map(field)}</fieldset>`,
      )}<p>They are kept with your account. Scripts find them at <code>/api/users/config/</code>.</p>
<p class="submit"><button class="primary">Save</button></p></form>`,
    { status },
  )
}

/** `POST /user/preferences/`. */
export async function setPreferences(visit: Visit): Promise<Answer> {
  ownId(visit)
  const data = await readForm(visit)
  const errors: Record<string, string> = {}
  let changes: Record<string, unknown> = {}
  for (const { path, choices } of all) {
    const [given] = data.all(path)
    if (given === undefined) continue
    if (!choices.some(([value]) => value === given)) errors[path] = 'This is none of the choices.'
    else changes = within(changes, path.split('.'), /^\d+$/.test(given) ? Number(given) : given)
  }
  if (Object.keys(errors).length) return preferencesPage(visit, errors, 400)
  await keepPreferences(visit, changes)
  // What was chosen by the button in this browser ends with what is chosen here.
  const cookie = `theme=; Path=${visit.config.basePath || '/'}; Max-Age=0; SameSite=Lax`
  const { headers, ...answer } = leadTo(visit, `${accountHref(visit, 'preferences')}?saved=1`)
  return { ...answer, headers: { ...headers, 'set-cookie': cookie } }
}

function within(
  into: Record<string, unknown>,
  [head, ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const inner = rest.length ? within((into[head!] ?? {}) as Record<string, unknown>, rest, value) : value
  return { ...into, [head!]: inner }
}
