import { computed } from '../fields/computed.ts'
import type { Row } from '../fields/field.ts'
import { boolean, datetime, ref, text } from '../fields/index.ts'
import type { ActionAnswer, ActionRequest, Behaviour, WriteTools } from '../declare/behaviour.ts'
import { Refused } from '../declare/behaviour.ts'
import { sql } from '../declare/statement.ts'
import { deferred } from '../lib/deferred.ts'
import { parsingYaml } from '../lib/parse-thread.ts'
import { textOfUtf8 } from '../lib/utf8.ts'
import { jsonOfYaml } from '../lib/yaml.ts'

/** The column that a data file fills in each model that may be synced, and whether it holds an object. */
export const SyncedColumns = {
  'extras.configcontext': { column: 'data', isObject: true },
  'extras.configcontextprofile': { column: 'schema', isObject: true },
  'extras.configtemplate': { column: 'template_code', isObject: false },
  'extras.exporttemplate': { column: 'template_code', isObject: false },
} as const
export type SyncedModel = keyof typeof SyncedColumns

/** The file of a data source that fills an object, and since when. `file`: that the API does not take it. */
export const syncedFields = (file?: { readOnly: true; entered: true }) => ({
  data_source: ref('core.datasource', { nullable: true, related: false }),
  data_path: text({ readOnly: true, filter: false }),
  data_file: ref('core.datafile', { ...file, onDelete: 'set null', related: false }),
  data_synced: datetime({ nullable: true, readOnly: true, label: 'Date synced' }),
})

/** Whether an object follows its data file by itself. `api`: that the API does not take it. */
export const autoSync = (api?: { hidden: true; entered: true }) =>
  boolean({ help: 'Follows its data file whenever that changes.', default: false, ...api })

/** Whether an object is as its data file is; null where it has none. */
export const isSynced = computed(
  (t, sql) => {
    sql.uses('core_datafile')
    return `case when ${t}.data_file_id is not null then json(iif(${t}.data_synced >=
      (select f.last_updated from core_datafile f where f.id = ${t}.data_file_id), 'true', 'false')) end`
  },
  { label: 'Synced' },
)

/** A file that cannot fill the column. */
export class UnfitFile extends Error {}

/** Columns of an object that is filled from a data file. Throws `UnfitFile`. */
export function columnsFrom(tools: Pick<WriteTools, 'row' | 'now'>, model: SyncedModel, fileId: number): Row {
  const file = tools.row('core.datafile', fileId)
  if (!file) throw new UnfitFile('The data file is gone.')
  const { column, isObject } = SyncedColumns[model]
  const text = textOf(file)
  return {
    [column]: isObject ? objectOf(text, file.path) : text,
    data_source_id: file.source_id,
    data_file_id: fileId,
    data_path: file.path,
    data_synced: tools.now,
  }
}

function textOf({ data, path }: { data: Buffer | string; path: string }): string {
  try {
    return typeof data === 'string' ? data : textOfUtf8(data)
  } catch {
    throw new UnfitFile(`${path} is not text in UTF-8.`)
  }
}

function objectOf(text: string, path: string): string {
  let json: string | undefined
  try {
    json =
      text.length < ShortText
        ? jsonOfYaml(text)
        : deferred(parsingYaml, { key: text, input: text, inPlace: () => jsonOfYaml(text), placeholder: '{}' })
  } catch (error) {
    throw new UnfitFile(`${path} is neither JSON nor YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  if (json === undefined) throw new UnfitFile(`${path} does not hold an object.`)
  return json
}

/** Texts shorter than this are parsed at once. */
const ShortText = 2000

const Beginning = sql<{ data: Buffer | string; size: number }>`
  select substr(data, 1, ?) as data, length(data) as size from core_datafile where id = ?`

/**
 * The beginning of a data file, of so many bytes at most, and how many it has; `text` is undefined where it holds no
 * text in UTF-8.
 */
export function beginningOf(
  tools: Pick<WriteTools, 'get'>,
  fileId: number,
  max: number,
): { text: string | undefined; size: number } {
  const { data, size } = tools.get(Beginning, max, fileId) ?? { data: '', size: 0 }
  if (typeof data === 'string') return { text: data, size }
  try {
    // A character that the end cuts apart is left out.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(data, { stream: size > max }), size }
  } catch {
    return { text: undefined, size }
  }
}

/**
 * Rules of a model whose content may come from a data file: it is copied in when the object is written, and by `sync/`.
 */
export function syncedData(model: SyncedModel): Pick<Behaviour<any>, 'prepare' | 'actions'> {
  return {
    prepare: ({ row, before, errors, tools }) => {
      if (row.data_file_id === null) {
        Object.assign(row, { data_source_id: null, data_path: '', auto_sync_enabled: 0, data_synced: null })
        return
      }
      // Its text is shown by the object from now on.
      if (row.data_file_id !== before?.data_file_id && !tools.mayOn('view', 'core.datafile', row.data_file_id)) {
        errors.data_file = [`Related object not found using the provided numeric ID: ${row.data_file_id}`]
        return
      }
      try {
        Object.assign(row, columnsFrom(tools, model, row.data_file_id))
      } catch (error) {
        if (!(error instanceof UnfitFile)) throw error
        errors.data_file = [error.message]
      }
    },
    actions: { sync: { post: { permission: 'sync', run: (request) => sync(model, request) } } },
  }
}

function sync(model: SyncedModel, { id, tools }: ActionRequest): ActionAnswer {
  if (!tools.mayOn('sync', model, id))
    throw new Refused(403, { detail: 'You do not have permission to perform this action.' })
  const file = tools.row(model, id)!.data_file_id
  try {
    if (file !== null) tools.patch(model, id, columnsFrom(tools, model, file))
  } catch (error) {
    if (error instanceof UnfitFile) throw new Refused(400, { detail: error.message })
    throw error
  }
  return { status: 200, text: tools.render(model, [id])[0]! }
}
