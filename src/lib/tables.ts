import { asItIs, asText, asWritten } from './formulas.ts'
import { isObject } from './json.ts'
import { numberOfText, numberText, stringifyExact } from './exact-json.ts'
import { parse as parseCsv } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import {
  type Document,
  isMap as isYamlMap,
  isSeq,
  LineCounter,
  parseAllDocuments,
  parseDocument,
  Scalar,
  stringify as toYaml,
  visit,
} from 'yaml'

export const Formats = ['csv', 'json', 'yaml'] as const
export type Format = (typeof Formats)[number]

/**
 * A line of a table: where it begins in the text (from 1), and its texts by column; a map nested in it has a column for
 * each path.
 */
export interface Line {
  number: number
  /** Which of the objects of the text it is, from 1, where others begin on the same line. */
  item?: number
  cells: Readonly<Record<string, string>>
  /** Columns whose values are texts in JSON or YAML, and not what such a text says. */
  words?: readonly string[]
}
/** One thing that is wrong: the line of the text, the column's name where it is one column's, and what it is. */
export interface Wrong {
  line: number
  item?: number
  column?: string
  text: string
}
/** What a text says, whatever its format. */
export interface Table {
  columns: readonly string[]
  lines: readonly Line[]
  wrong: readonly Wrong[]
}

/** Characters of a text that is read: more is refused. */
const MaxText = 64 * 1024 * 1024
/** Columns of a table that is read: no model has as many. */
const MaxColumns = 1000

/** Reads a table: CSV whose first line names the columns, or a list of objects as JSON or YAML. */
export function parse(text: string, format: Format): Table {
  if (text.length > MaxText) return failed('the text is longer than 64 MB')
  return format === 'csv' ? ofCsv(text) : ofObjects(text, format)
}

/** The format that a text seems to be in. */
export function guessedFormat(text: string): Format {
  const begin = /^\ufeff?(?:\s*(?:#[^\n]*)?\n)*\s*([^\n]*)/.exec(text.slice(0, 10_000))?.[1] ?? ''
  if (/^[[{]/.test(begin)) return 'json'
  return /^(?:---|%YAML|- ?\S*|[\w.-]+:(?: |$))/.test(begin) && !/^-?\w*[,;\t]/.test(begin) ? 'yaml' : 'csv'
}

/** The format of a file's name; CSV where it says none. */
export const formatOf = (file: string): Format =>
  /\.json$/i.test(file) ? 'json' : /\.ya?ml$/i.test(file) ? 'yaml' : 'csv'

const failed = (text: string, line = 1): Table => ({ columns: [], lines: [], wrong: [{ line, text }] })
const tooWide = (count: number): Table => failed(`there are ${count} columns: no more than ${MaxColumns} are read`)

function ofCsv(text: string): Table {
  let records: { record: string[]; info: { lines: number; empty_lines: number } }[]
  try {
    records = parseCsv(text, {
      info: true,
      bom: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      delimiter: delimiterOf(text),
    }) as never
  } catch (error) {
    return failed((error as Error).message, (error as { lines?: number }).lines ?? 1)
  }
  const [head, ...rest] = records
  if (!head) return failed('the file is empty: its first line names the columns')
  const columns = head.record.map((name) => name.trim())
  if (columns.length > MaxColumns) return tooWide(columns.length)
  const twice = new Set(columns.filter((name, i) => columns.indexOf(name) < i))
  const wrong: Wrong[] = [...twice].map((column) => ({ line: 1, column, text: 'there are two columns of this name' }))
  let last = head.info
  const lines = rest.map(({ record, info }) => {
    const number = last.lines + 1 + info.empty_lines - last.empty_lines
    last = info
    if (record.length > columns.length)
      wrong.push({ line: number, text: `has ${record.length} values for ${columns.length} columns` })
    return { number, cells: Object.fromEntries(columns.map((name, i) => [name, asWritten((record[i] ?? '').trim())])) }
  })
  return { columns: [...new Set(columns)], lines, wrong }
}

/** What stands between the columns: a comma, or what the first line has instead. */
const delimiterOf = (text: string): string => {
  const head = text.slice(0, text.search(/\r?\n|$/))
  return [',', ';', '\t'].find((mark) => head.includes(mark)) ?? ','
}

/** Objects, a list of them, or in YAML several documents of either. */
function ofObjects(text: string, format: 'json' | 'yaml'): Table {
  const counter = new LineCounter()
  const lineAt = (offset: number) => counter.linePos(offset).line
  const documents =
    format === 'json'
      ? [parseDocument(text, { lineCounter: counter, schema: 'json' })]
      : [parseAllDocuments(text, { lineCounter: counter })].flat()
  const errors = documents.flatMap((each) => each.errors)
  if (errors.length) {
    const wrong = errors.map(({ message, pos }) => ({ line: lineAt(pos[0]), text: message.split('\n')[0]! }))
    return { ...failed(''), wrong: format === 'json' ? [jsonFault(text, wrong[0]!)] : wrong }
  }
  const given = documents.filter(({ contents }) => contents !== null)
  const items = given.flatMap(({ contents }) => (isSeq(contents) ? contents.items : [contents]))
  if (given.length === 0 || given.some(({ contents }) => !isSeq(contents) && !isYamlMap(contents)))
    return failed('this is not a list of objects')
  let list: unknown[]
  try {
    list = given.flatMap((document) => {
      keepNumbers(document)
      return document.toJS({ maxAliasCount: 100 }) as unknown
    })
  } catch (error) {
    return failed((error as Error).message)
  }
  const columns = new Set<string>()
  const wrong: Wrong[] = []
  const places = placesOf(list.map((_, i) => lineAt((items[i] as { range?: number[] } | null)?.range?.[0] ?? 0)))
  const lines = list.flatMap((object, i): Line[] => {
    const { number: line, ...item } = places[i]!
    if (!isObject(object)) {
      wrong.push({ line, ...item, text: 'is not an object' })
      return []
    }
    const values = Object.entries(object as Record<string, unknown>).flatMap(([name, value]) => valuesOf(name, value))
    const cells = Object.fromEntries(values.map(([name, value]) => [name, textOf(value)]))
    const words = values.flatMap(([name, value]) => (typeof value === 'string' ? [name] : []))
    for (const name of Object.keys(cells)) columns.add(name)
    return [{ ...places[i]!, cells, words }]
  })
  return columns.size > MaxColumns ? tooWide(columns.size) : { columns: [...columns], lines, wrong }
}

/** Numbers of lines on which objects begin, in their order, and which object it is where several begin on one. */
export function placesOf(numbers: readonly number[]): Pick<Line, 'number' | 'item'>[] {
  const shared = new Set(numbers.filter((number, i) => numbers[i - 1] === number))
  return numbers.map((number, i) => (shared.has(number) ? { number, item: i + 1 } : { number }))
}

/** What is wrong with a text in JSON, in its own terms; `known`: in those of YAML, of which JSON is a part. */
function jsonFault(text: string, known: Wrong): Wrong {
  try {
    JSON.parse(text)
    return known
  } catch (error) {
    const [, words, line] = /^(.*?)(?: in JSON)?(?: at position \d+ \(line (\d+) column \d+\))?$/s.exec(
      (error as Error).message,
    )!
    return { line: line ? Number(line) : known.line, text: `this is no JSON: ${words}` }
  }
}

const JsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Numbers stay as they are written: 1.0 is not 1, and long ones keep their digits. */
function keepNumbers(document: Document): void {
  visit(document, {
    Scalar: (key, node) => {
      const { value, source } = node
      if (key === 'key' || typeof value !== 'number' || source === undefined || String(value) === source) return
      if (Number.isFinite(value) && JsonNumber.test(source)) node.value = numberOfText(source)
    },
  })
}

/** A member as values of columns: custom fields have one each. */
const valuesOf = (name: string, value: unknown): [string, unknown][] =>
  name === 'custom_fields' && typeof value === 'object' && value !== null
    ? Object.entries(value).map(([custom, inner]) => [`cf_${custom}`, inner])
    : [[name, value]]

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? value instanceof Date
        ? value.toISOString()
        : JSON.stringify(value)
      : String(value)

/**
 * Writes lines of CSV, without a head; `harmless` puts an apostrophe before what a spreadsheet would take for a
 * formula.
 */
export const csvLines = (lines: readonly (readonly string[])[], { harmless = false, delimiter = ',' } = {}): string =>
  stringify(
    lines.map((line) => line.map(harmless ? asText : asItIs)),
    { delimiter },
  )

/** Writes one object of a list. */
export const objectText = (object: object, format: 'json' | 'yaml', isFirst: boolean): string =>
  format === 'json' ? `${isFirst ? '[\n' : ',\n'}${stringifyExact(object)}` : yamlText([object])

/** A value as YAML, with its numbers as they were read. */
export const yamlText = (value: unknown): string => toYaml(value, exactNumbers, { lineWidth: 0 })

/** Numbers as they were read, which JavaScript would write otherwise. */
function exactNumbers(this: unknown, key: unknown, value: unknown): unknown {
  const text = typeof value === 'number' ? numberText(this as object, String(key)) : undefined
  if (text === undefined || Number(text) !== value) return value
  if (/^-?\d+$/.test(text)) return BigInt(text)
  const node = new Scalar(value)
  node.minFractionDigits = 1
  return node
}

/** What ends a list. */
export const endOf = (format: Format, isEmpty: boolean): string =>
  format === 'json' ? (isEmpty ? '[]\n' : '\n]\n') : format === 'yaml' && isEmpty ? '[]\n' : ''
