import { demandRefusal } from './refusal.ts'
import { html, raw } from 'hono/html'
import { type Answer, badMethod, noSuchPage } from '../http/request.ts'
import { changeMany, messageOf } from '../http/resource.ts'
import type { AnyModel } from '../declare/model.ts'
import { compileReplacing, RegexTooSlow } from '../lib/regex.ts'
import { noneText } from './bulk-edit.ts'
import { type FormData, readForm } from './form-data.ts'
import { csrf, leadTo, page } from './frame.ts'
import { messageField } from './message-field.ts'
import { listHref } from './links.ts'
import { faults, howMany, remarks, type Selection, selectionOf } from './selection.ts'
import type { Visit } from './visit.ts'
import { pluralOf } from './words.ts'

/** Rows of the preview at most. */
const MaxShown = 200

/** The member by which objects of a model are renamed; undefined where a person may write none. */
export function nameOf(m: AnyModel): string | undefined {
  const name = m.pages?.named ?? 'name'
  return name in m.fields && m.fields[name].control && !m.fields[name].readOnly ? name : undefined
}

interface Renamed {
  id: number
  from: string
  to: string
}

/**
 * `POST …/rename/`: finds and replaces in the names of those chosen (`nameOf`); shows the new names, and with `_apply`
 * writes them.
 */
export async function bulkRename(visit: Visit, m: AnyModel): Promise<Answer> {
  const member = nameOf(m)
  if (!member) throw noSuchPage()
  if (m.methods && !m.methods.includes('PATCH')) throw badMethod(visit.method)
  const data = await readForm(visit)
  const chosen = selectionOf(visit, m, data, 'change')
  if (chosen.ids.length === 0) return leadTo(visit, chosen.back, noneText(m, chosen), 'bad')
  const named = () => visit.store.reader.rows(m, chosen.ids, { members: ['id', member] }, '')
  const names = named()
  const { rename, problem } = replacing(data)
  const shown = (renamed: readonly Renamed[], why = '', status = 200, refused?: ReadonlyMap<number, unknown>) =>
    form(visit, m, chosen, data, renamed, why, status, refused)
  if (problem) return shown([], problem, 400)
  const renaming = (texts: readonly string[]): Renamed[] =>
    texts.map((text) => {
      const row = JSON.parse(text) as { id: number } & Record<string, string | null>
      const from = row[member] ?? ''
      return { id: row.id, from, to: row[member] === null || !rename ? from : rename(from) }
    })
  let renamed: readonly Renamed[]
  try {
    renamed = renaming(names)
  } catch (error) {
    if (!(error instanceof RegexTooSlow)) throw error
    return shown([], error.message, 400)
  }
  const changed = renamed.filter(({ from, to }) => from !== to)
  if (!data.all('_apply').length || chosen.hasMoved) return shown(renamed)
  if (changed.length === 0) return shown(renamed, 'No name would change.', 400)
  const refused = new Map<number, unknown>()
  let hasMoved = false
  try {
    const message = messageOf({ changelog_message: data.all('changelog_message')[0] ?? '' })
    const said = message ? { changelog_message: message } : {}
    await changeMany(
      visit,
      m,
      () => {
        hasMoved = named().join() !== names.join()
        return hasMoved ? [] : changed.map(({ id, to }) => ({ id, [member]: to, ...said }))
      },
      refused,
    )
  } catch (error) {
    demandRefusal(error)
    if (refused.size === 0) throw error
    return shown(renamed, '', 400, refused)
  }
  if (hasMoved)
    return shown(
      renaming(named()),
      'Somebody renamed some of these meanwhile. Nothing was done: look at them again.',
      409,
    )
  return leadTo(visit, chosen.back, `${howMany(m, changed.length)} ${changed.length === 1 ? 'was' : 'were'} renamed.`)
}

/** What the form does to a name; nothing before it says what to find. */
function replacing(data: FormData): { rename?: (name: string) => string; problem?: string } {
  const [find = '', replace = ''] = ['find', 'replace'].map((name) => data.all(name)[0] ?? '')
  if (find === '') return data.all('_apply').length ? { problem: 'Say what to find.' } : {}
  if (replace.length > 200) return { problem: 'What is put in its place is too long.' }
  if (!data.all('use_pattern').length) return { rename: (name) => name.replaceAll(find, () => replace) }
  const rename = compileReplacing(find, replace)
  return rename ? { rename } : { problem: 'This is not a pattern, or too large a one.' }
}

function form(
  visit: Visit,
  m: AnyModel,
  chosen: Selection,
  data: FormData,
  renamed: readonly Renamed[],
  problem: string,
  status: number,
  refused?: ReadonlyMap<number, unknown>,
): Answer {
  const of = (name: string) => data.all(name)[0] ?? ''
  const changed = renamed.filter(({ from, to }) => from !== to)
  const isFirst = of('find') === ''
  const listed = (isFirst ? renamed : changed).slice(0, MaxShown)
  const more = (isFirst ? renamed : changed).length - listed.length
  return page(visit, {
    status,
    title: `Rename ${howMany(m, chosen.ids.length)}`,
    crumbs: [[listHref(visit, m), pluralOf(m)]],
    body: html`${remarks(m, chosen)}${refused ? faults(visit, m, refused) : ''}
<form class="form" method="post" action="${listHref(visit, m)}rename/">${csrf(visit)}${chosen.hidden}
<fieldset><legend>Find and replace</legend>
<div class="field"><label for="f-find">Find</label><input id="f-find" name="find" maxlength="200" value="${of('find')}"
  autocomplete="off"></div>
<div class="field"><label for="f-replace">Replace with</label><input id="f-replace" name="replace" maxlength="200"
  value="${of('replace')}" autocomplete="off"></div>
<div class="field"><label for="f-use_pattern">It is a pattern</label><input id="f-use_pattern" type="checkbox"
  name="use_pattern" value="1"${data.all('use_pattern').length ? raw(' checked') : ''} aria-describedby="h-use_pattern">
<p class="help" id="h-use_pattern">A regular expression: <code>^Gi(\\d+)$</code> and <code>GigabitEthernet$1</code>
make <code>GigabitEthernet3</code> of <code>Gi3</code>.</p></div>
${messageField(of('changelog_message'))}</fieldset>
<div id="renamed" hx-post="${listHref(visit, m)}rename/"
  hx-trigger="input delay:400ms from:#f-find, input delay:400ms from:#f-replace, change from:#f-use_pattern"
  hx-target="this" hx-select="#renamed > *" hx-swap="innerHTML" hx-push-url="false" hx-sync="this:replace">${
    problem ? html`<p class="message bad" role="alert">${problem}</p>` : ''
  }
<p class="submit"><button class="${isFirst ? 'primary' : ''}">Preview</button>${
      changed.length
        ? html`<button class="primary" name="_apply" value="1">Rename ${changed.length.toLocaleString('en')}</button>`
        : ''
    }<a class="button" href="${chosen.back}">Cancel</a></p>
${
  listed.length
    ? html`<div class="scroll" tabindex="0" role="region" aria-label="Names">
<table><caption class="unseen">Names</caption><thead><tr><th scope="col">Now</th>${
        isFirst ? '' : html`<th scope="col">New</th>`
      }</tr></thead><tbody>${listed.map(
        ({ from, to }) => html`<tr><td>${from}</td>${isFirst ? '' : html`<td>${to}</td>`}</tr>`,
      )}</tbody></table></div>`
    : isFirst
      ? ''
      : html`<p class="empty">No name would change.</p>`
}
${more > 0 ? html`<p>… and ${more.toLocaleString('en')} more.</p>` : ''}</div></form>`,
  })
}
