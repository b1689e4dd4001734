import { demandRefusal } from './refusal.ts'
import { html } from 'hono/html'
import { createMany } from '../http/resource.ts'
import type { AnyModel } from '../declare/model.ts'
import type { Control } from '../fields/control.ts'
import { expand, PatternError } from '../lib/pattern.ts'
import type { Html } from './cells.ts'
import type { Filled } from './form-page.ts'
import type { FormData } from './form-data.ts'
import { errorsOf, messageOf } from './form-errors.ts'
import { bodyOf, type FormField, type FormGroup, formGroups } from './form-fields.ts'
import { listHref } from './links.ts'
import { afterwards } from './parts/forms.ts'
import type { Visit } from './visit.ts'
import { words } from './words.ts'

/** Several objects that one form makes, or why its patterns cannot be read. */
export interface Series {
  /** The texts of the fields that differ, by field: one for each object. */
  texts: Readonly<Record<string, readonly string[]>>
  /** What was chosen of a list, by field: as many of it for each object, in order. */
  chosen: Readonly<Record<string, readonly string[]>>
  count: number
  errors?: Readonly<Record<string, string>>
}

/** Most objects that one form makes. */
const MaxObjects = 1000
/** So many different faults are told. */
const MaxFaults = 5

/**
 * The series that the patterns of a form stand for; undefined where its first pattern stands for one object, unless
 * each of `parents` other objects gets it.
 */
export function seriesIn(m: AnyModel, data: FormData, parents?: number): Series | undefined {
  const [name, ...others] = words(m.pages?.series)
  if (!name) return undefined
  const errors: Record<string, string> = {}
  const read = (field: string): string[] => {
    const given = data.all(field)
    try {
      return given.length === 1 ? expand(given[0]!, Math.floor(MaxObjects / (parents ?? 1))) : []
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      errors[field] = error.message
      return []
    }
  }
  const names = read(name)
  if (names.length < 2 && !errors[name] && parents === undefined) return undefined
  if (names.length === 0 || names[0] === '') errors[name] ??= 'This field is required.'
  const texts: Record<string, string[]> = { [name]: names }
  const chosen: Record<string, string[]> = {}
  for (const other of errors[name] ? [] : others) {
    if (isList(m, other)) {
      const given = data.all(other).filter(Boolean)
      if (given.length % names.length)
        errors[other] = `${given.length} are chosen, but there are ${names.length} names.`
      chosen[other] = given
      continue
    }
    const own = read(other)
    if (own.length < 2) continue
    if (own.length !== names.length)
      errors[other] = `This stands for ${own.length}, but there are ${names.length} names.`
    texts[other] = own
  }
  return { texts, chosen, count: names.length, ...(Object.keys(errors).length ? { errors } : {}) }
}

/** A field of which several are chosen, not typed: no pattern. */
const isList = (m: AnyModel, name: string): boolean => m.fields[name]?.control?.(name).as === 'area'

/** So many of the objects of a series are named before they are made. */
const MaxNamed = 60

/** What the patterns that a form holds stand for; scripts ask for it as one types. */
function preview(call: Visit, m: AnyModel, fields: readonly FormField[], filled: Filled): Html {
  const texts = new Map(fields.map((field) => [field.name, filled.texts(field)]))
  const all = (name: string) => [...(texts.get(name) ?? [])]
  const inputs = fields.map(({ name }) => `#f-${name}`)
  return html`<div id="series" class="help" aria-live="polite" hx-get="${listHref(call, m)}add/" hx-trigger="${inputs
    .map((input) => `input delay:300ms from:${input}`)
    .join(', ')}" hx-include="${inputs.join(', ')}" hx-target="this" hx-select="#series > *" hx-swap="innerHTML"
    hx-push-url="false" hx-sync="this:replace">${seriesHtml(
      seriesIn(m, { all, file: () => undefined, names: () => [] }),
    )}</div><noscript><button name="_redraw" value="1" formnovalidate>Show the names</button></noscript>`
}

function seriesHtml(series: Series | undefined): Html | '' {
  if (!series) return ''
  const [problem] = Object.values(series.errors ?? {})
  if (problem) return html`<p class="error">${problem}</p>`
  const [names = [], ...others] = Object.values(series.texts)
  const shown = names.slice(0, MaxNamed).map((name, i) => {
    const more = others.map((texts) => texts[i]).filter(Boolean)
    return html`<li>${name}${more.length ? html` <small>${more.join(', ')}</small>` : ''}</li>`
  })
  const rest = series.count - shown.length
  return html`<p><b>${series.count.toLocaleString('en')}</b> are made:</p><ul class="series">${shown}${
    rest ? html`<li>and ${rest.toLocaleString('en')} more</li>` : ''
  }</ul>`
}

/** A line that takes a pattern too, where it takes a text or a number. */
const patternable = (control: Control): Control =>
  control.as === 'line'
    ? { ...control, type: 'text', max: undefined, least: undefined, most: undefined, step: undefined }
    : control

/** A form's groups with patterns allowed where the model takes them, and what they stand for below the first. */
export function withPatterns(call: Visit, m: AnyModel, groups: readonly FormGroup[]): FormGroup[] {
  const [first, ...others] = words(m.pages?.series)
  if (!first) return [...groups]
  const patterned = groups.flatMap(({ fields }) =>
    fields.filter(({ name, control }) => [first, ...others].includes(name) && control.as === 'line'),
  )
  const help = (name: string, own: string | undefined) =>
    [
      own,
      name === first
        ? `Several at once: ${m.pages?.pattern ?? '[1-24], [01-24], [a-d], [ge,xe]'}.`
        : others.includes(name)
          ? isList(m, name)
            ? 'For several: as many for each, in order.'
            : 'For several: one text for all, or a pattern with as many as there are names.'
          : undefined,
    ]
      .filter(Boolean)
      .join(' ') || undefined
  return groups.map((group) => ({
    ...group,
    fields: group.fields.map((field) =>
      field.name === first || others.includes(field.name)
        ? {
            ...field,
            help: help(field.name, field.help),
            ...(field.name === first ? { after: (filled: Filled) => preview(call, m, patterned, filled) } : {}),
            control: patternable(field.control),
          }
        : field,
    ),
  }))
}

/**
 * Makes the objects of a series, all or none: for each of the parents, where some are given, which the field of that
 * name refers to. Answers how many were made, or what is wrong by field.
 */
export async function createSeries(
  call: Visit,
  m: AnyModel,
  data: FormData,
  series: Series,
  parents?: { field: string; ids: readonly number[] },
): Promise<{ made: number } | { errors: Readonly<Record<string, unknown>>; status: number }> {
  if (series.errors) return { errors: series.errors, status: 400 }
  const groups = parents ? forMany(formGroups(call, m), parents.field) : formGroups(call, m)
  const bodies: Record<string, unknown>[] = []
  const [name] = words(m.pages?.series) as [string]
  for (let i = 0; i < series.count; i++) {
    const one: FormData = { ...data, all: (field) => textsAt(series, field, i) ?? data.all(field) }
    const { body, errors } = bodyOf(groups, one, true)
    if (Object.keys(errors).length) return { errors, status: 400 }
    bodies.push(body)
  }
  const all = parents ? parents.ids.flatMap((id) => bodies.map((body) => ({ ...body, [parents.field]: id }))) : bodies
  try {
    await createMany(call, m, all, afterwards(call, m, data))
  } catch (error) {
    demandRefusal(error)
    const namesOf = all.map((_, i) => series.texts[name]![i % series.count]!)
    return { errors: faultsOf(error.body, namesOf), status: error.status }
  }
  return { made: all.length }
}

/** What one of the objects has of a field that differs. */
function textsAt({ texts, chosen, count }: Series, field: string, i: number): string[] | undefined {
  const list = chosen[field]
  const each = list ? list.length / count : 0
  return list?.slice(i * each, (i + 1) * each) ?? (texts[field] && [texts[field][i]!])
}

/** The groups of a form for objects that several others get, which that field refers to: without what hangs on one. */
export const forMany = (groups: readonly FormGroup[], field: string): FormGroup[] =>
  groups.map((group) => ({
    ...group,
    fields: group.fields.filter(({ name, follows }) => name !== field && !follows?.fields.includes(field)),
  }))

/** What is wrong with several objects, by field: each fault once, with the first object that has it. */
function faultsOf(body: unknown, names: readonly string[]): Record<string, unknown> {
  if (!Array.isArray(body)) return errorsOf(body)
  const faults: Record<string, string[]> = {}
  const told = new Set<string>()
  body.forEach((each, i) => {
    for (const [field, text] of Object.entries(errorsOf(each))) {
      const key = `${field} ${messageOf(text)}`
      if (Object.keys((each as object | null) ?? {}).length === 0 || told.has(key)) continue
      told.add(key)
      faults[field] ??= []
      if (faults[field].length < MaxFaults) faults[field].push(`${names[i]}: ${messageOf(text)}`)
    }
  })
  return faults
}
