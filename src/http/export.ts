import type { Row } from '../fields/field.ts'
import { addRelated, namesIn, type RelatedObjects, relationOf, type Shown } from '../rules/template-objects.ts'
import { renderTemplate } from '../rules/templates.ts'
import { modelNamed, stepOf } from '../engine/catalog.ts'
import type { AnyModel } from '../declare/model.ts'
import { may } from '../engine/actor.ts'
import { conditionOf, shownTo } from './lists.ts'
import { type Answer, ApiError, type Call, forbidden } from './request.ts'
import { withSavedFilters } from './saved-filters.ts'
import { pairsOf } from '../store/pairs.ts'

/** Rows made at a time, between which other requests are answered, and bytes of rows that one export may have. */
const Step = 200
const MaxBytes = 48 * 1024 * 1024

/** GET of a list with `?export=<template>`: all rows that its filters leave, through an export template. */
export async function exported(call: Call, m: AnyModel): Promise<Answer> {
  if (!may(call.actor, 'view', m)) throw forbidden()
  const template = call.store.db.get<Row>(
    `select * from extras_exporttemplate t
      where name = ? and exists (select 1 from json_each(t.object_types) where value = ?) order by id limit 1`,
    call.query.get('export'),
    m.name,
  )
  if (!template) throw new ApiError(404, { detail: 'No ExportTemplate matches the given query.' })
  const { ids } = call.store.reader.page(
    m,
    conditionOf(call, m, withSavedFilters(call, m)),
    call.query.get('ordering') ?? undefined,
    undefined,
    0,
  )
  return { status: 200, body: await exportText(call, m, template, ids), headers: headersOf(template, m) }
}

/** What an export template makes of some objects, in their order. Throws `Refused` with what is wrong with it. */
export async function exportText(call: Call, m: AnyModel, template: Row, ids: readonly number[]): Promise<string> {
  const rows = await rowsOf(call, m, ids)
  const names = namesIn(String(template.template_code))
  const hasRelated = [...names].some((name) => relationOf({ step: stepOf }, m, name))
  const queryset = hasRelated ? withRelated(call, m, rows, names) : `[${rows}]`
  return renderTemplate(template, `{"queryset":${queryset}}`, ['queryset'], call.actor.userId)
}

/** Where templates that a caller has rendered find related objects: among those that the caller may view. */
export const relatedFor = (call: Call): RelatedObjects => ({
  ...shownTo(call),
  model: modelNamed,
  step: stepOf,
  pairs: (model, relation, ids) => pairsOf(call.store.db, model, relation, ids),
})

function withRelated(call: Call, m: AnyModel, rows: string, names: ReadonlySet<string>): string {
  const objects = JSON.parse(`[${rows}]`) as Shown[]
  addRelated(relatedFor(call), m, objects, names)
  return JSON.stringify(objects)
}

async function rowsOf(call: Call, m: AnyModel, ids: readonly number[]): Promise<string> {
  const parts: string[] = []
  let bytes = 0
  for (let from = 0; from < ids.length; from += Step) {
    const rows = call.store.reader.rows(m, ids.slice(from, from + Step), {}, call.base)
    bytes += rows.reduce((sum, row) => sum + row.length, 0)
    if (bytes > MaxBytes) throw new ApiError(400, { detail: 'These are too many objects for one export; filter them.' })
    parts.push(rows.join(','))
    await new Promise(setImmediate)
  }
  return parts.filter((part) => part !== '').join(',')
}

const isHeader = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)

function headersOf(template: Row, m: AnyModel): Record<string, string> {
  const [mime, name, extension] = [template.mime_type, template.file_name, template.file_extension].map(String) as [
    string,
    string,
    string,
  ]
  const file = `${name || `netbox_${m.plural.replaceAll(' ', '_')}`}${extension ? `.${extension}` : ''}`
  const plain = file.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const exact = plain === file ? '' : `; filename*=UTF-8''${encodeURIComponent(file.toWellFormed())}`
  return {
    'content-type': isHeader(mime) ? mime : 'text/plain; charset=utf-8',
    'content-security-policy': 'sandbox', // a template may make pages, which must not act as their reader
    ...(template.as_attachment === 1 ? { 'content-disposition': `attachment; filename="${plain}"${exact}` } : {}),
  }
}
