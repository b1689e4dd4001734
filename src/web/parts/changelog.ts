import { html } from 'hono/html'
import { conditionOf } from '../../http/lists.ts'
import { changesAbout } from '../../rules/changes.ts'
import { modelNamed } from '../../engine/catalog.ts'
import { paged, pager } from '../list.ts'
import { preferencesOf } from '../preferences.ts'
import { columnsBy, rowsOf, table } from '../table.ts'
import { words } from '../words.ts'
import type { SpecialTab } from './part.ts'

const Columns = words('time user_name action changed_object_type object message before')

/** Who changed an object and what belongs to it, when and why. */
export const changelog: SpecialTab = {
  label: 'Changelog',
  of: (m) => Boolean(m.features?.includes('change_logging')),
  model: 'core.objectchange',
  body: (visit, m, row) => {
    const changes = modelNamed('core.objectchange')
    const [asked, about] = [conditionOf(visit, changes, new URLSearchParams()), changesAbout(m.name, row.id)]
    const condition = {
      where: [...asked.where, ...about.where],
      values: { ...asked.values, ...about.values },
      uses: [...asked.uses],
    }
    const found = paged(visit, changes, preferencesOf(visit), condition)
    const columns = columnsBy(changes, Columns)
    return found.ids.length
      ? html`${table(visit, changes, columns, rowsOf(visit, changes, found.ids, columns), {
          ordered: true,
          caption: 'Changes',
        })}${pager(visit, found)}`
      : html`<p class="empty">Nothing is recorded of it.</p>`
  },
}
