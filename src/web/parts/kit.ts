import { existsSync, readFileSync, rmSync } from 'node:fs'
import { html } from 'hono/html'
import { modelNamed } from '../../engine/catalog.ts'
import { BundleError } from '../../history/bundle.ts'
import {
  type ConflictFile,
  clearConflicts,
  decisionsIn,
  notingDecided,
  readConflicts,
  writeConflicts,
} from '../../history/conflict-file.ts'
import { deciding } from '../../history/coming.ts'
import { changesHere, countsOf, pulling } from '../../history/kit.ts'
import type { Side } from '../../history/merge.ts'
import { type Answer, forbidden } from '../../http/request.ts'
import { messageOf, transact } from '../../http/resource.ts'
import { filesOf } from '../../store/data-folder.ts'
import { type KitSelf, selfOf } from '../../store/kit.ts'
import type { Html } from '../cells.ts'
import { readForm } from '../form-data.ts'
import { leadTo, page } from '../frame.ts'
import { listHref } from '../links.ts'
import type { Visit } from '../visit.ts'
import { titleOf } from '../words.ts'
import { conflictsForm, decidedTable, MaxShown } from './kit-conflicts.ts'

/** `/kit/`: what a field kit changed, and where it and its source do not agree, each with both sides. */
export function kitPage(visit: Visit, problem?: string, message = ''): Answer {
  demandAdministrator(visit)
  const self = selfOf(visit.store.db)
  const files = filesOf(visit.config.data)
  const wrong: string[] = problem ? [problem] : []
  const [conflicts, decided] = self ? [files.conflicts, files.decided].map((file) => readable(file, wrong)) : []
  return page(visit, {
    status: wrong.length ? 409 : 200,
    title: self ? `Kit ${self.name}` : 'Field kit',
    crumbs: [[listHref(visit, modelNamed('core.kit')), 'Kits']],
    body: html`${wrong.map((line) => html`<p class="message bad" role="alert">${line}</p>`)}${
      self
        ? html`${state(visit, self)}${
            conflicts ? conflictsForm(visit, conflicts.conflicts, existsSync(files.incoming) ? message : undefined) : ''
          }${decided ? decidedTable(decided.conflicts) : ''}`
        : html`<section class="panel">
<p class="empty">This is no field kit: <code>cabinet clone</code> makes one of this server.</p></section>`
    }`,
  })
}

/** Conflicts of a file; none where it cannot be read, which is told. */
function readable(file: string, wrong: string[]): ConflictFile | undefined {
  try {
    return readConflicts(file)
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    if (!wrong.includes(error.message)) wrong.push(error.message)
    return undefined
  }
}

/** `POST /kit/`: decides conflicts; when all are decided, what waits from the source is taken. */
export async function settleKit(visit: Visit): Promise<Answer> {
  demandAdministrator(visit)
  const data = await readForm(visit)
  const { conflicts: file, incoming } = filesOf(visit.config.data)
  if (!selfOf(visit.store.db)) return kitPage(visit, 'There is nothing to decide here.')
  const wrong: string[] = []
  const list = readable(file, wrong)?.conflicts ?? []
  if (wrong[0]) return kitPage(visit, wrong[0])
  if (list.length === 0 && !existsSync(incoming)) return kitPage(visit, 'There is nothing to decide.')
  const message = messageOf({ changelog_message: data.all('changelog_message')[0] ?? '' })
  const chosen = new Map<string, Side>()
  list.slice(0, MaxShown).forEach((each, i) => {
    const side = data.all(`take-${i}`)[0]
    if (isSide(side) && data.all(`key-${i}`)[0] === each.key) chosen.set(each.key, side)
  })
  const rest = data.all('rest')[0]
  if (isSide(rest)) for (const { key, take } of list) if (!take && !chosen.has(key)) chosen.set(key, rest)
  writeConflicts(
    file,
    list.map((each) => ({ ...each, take: chosen.get(each.key) ?? each.take })),
  )
  const left = readConflicts(file)!.conflicts.filter(({ take }) => !take).length
  if (left > 0) return kitPage(visit, `${left} still to be decided.`, message)
  if (!existsSync(incoming)) return leadTo(visit, '/kit/', 'Decided: the next pull or push carries it out.')
  try {
    const decide = deciding(decisionsIn(file))
    const { userId, username } = visit.actor
    const decider = { userId, username, requestId: visit.requestId, message }
    const { conflicts } = await notingDecided(filesOf(visit.config.data).decided, (keep) => {
      const { work, manner } = pulling(visit.store, readFileSync(incoming), { decide, decider, keep })
      return transact(visit, work, manner)
    })
    if (conflicts.length) {
      writeConflicts(file, conflicts)
      return kitPage(visit, `${conflicts.length} more conflicts follow from that.`, message)
    }
  } catch (error) {
    if (error instanceof BundleError) return kitPage(visit, error.message, message)
    throw error
  }
  clearConflicts(file)
  rmSync(incoming, { force: true })
  return leadTo(visit, '/kit/', 'Settled: cabinet push gives it to the source.')
}

const isSide = (text: unknown): text is Side => text === 'ours' || text === 'theirs'

function demandAdministrator({ actor }: Visit): void {
  if (!actor.superuser) throw forbidden()
}

function state(visit: Visit, self: KitSelf): Html {
  const counts = countsOf(changesHere(visit.store.db, self).values())
  const lines = [...counts].map(
    ([name, n]) => html`<tr><th scope="row">${titleOf(modelNamed(name))}</th><td>${n}</td></tr>`,
  )
  const told = self.there_time.slice(0, 16).replace('T', ' ')
  return html`<section class="panel"><h2>Changed here</h2>
<p>Since ${told} UTC, when this kit, number ${self.number} of <a href="${self.url}">${self.url}</a>, knew all of it.</p>
${
  lines.length
    ? html`<table class="facts"><tbody>${lines}</tbody></table><p><code>cabinet push</code> gives it to the source.</p>`
    : html`<p class="empty">Nothing was changed here.</p>`
}</section>`
}
