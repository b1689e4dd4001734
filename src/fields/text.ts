import * as v from 'valibot'
import { ColorChoices } from '../choices/dcim.ts'
import { stringFilter } from '../filters/string.ts'
import type { Control } from './control.ts'
import { required as needed } from './graph.ts'
import { naturalKey } from '../lib/natural-sort.ts'
import { type Common, type Field, isRequired, type Nullable, type Omittable, type Row, type Stored } from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import { q } from '../lib/sql.ts'
import { plainTexts } from './texts.ts'

export interface TextOptions extends Common {
  max?: number
  default?: string
  /** Allowed form; the message is shown as it is. */
  pattern?: { regex: RegExp; message: string }
  /** Sorted with numbers in order (P2 before P10): a second column holds the sort key. */
  natural?: boolean
  /** Kept and shown in lower case. */
  lower?: boolean
  /** `?name=` compares without case. */
  iexact?: boolean
  /** Extra columns computed from the text, keyed by suffix. */
  keys?: Record<string, (text: string) => string | Buffer>
  /** Second check and conversion; answers the text to store or throws `FieldError`. */
  convert?: (text: string) => string
  optionType?: string
  /** Entered and shown as several lines: as they are, with Markdown's marks worked out, or as code. */
  lines?: 'plain' | 'markdown' | 'code'
  /** Pages never show it, and ask for it as for a password. */
  covered?: boolean
  format?: string
}

/** Any JSON scalar that counts as a string: trimmed text, or a number as text. */
export const stringInput = v.pipe(
  v.union([v.string(), v.number()], 'Not a valid string.'),
  v.transform((x) => String(x).trim()),
  v.check((x) => !x.includes('\0'), 'Null characters are not allowed.'),
)

/** Characters of a text, those beyond 16 bits as one. */
export const lettersOf = (text: string): number => [...text].length

const Looks: Readonly<Record<string, Field['look']>> = {
  markdown: 'markdown',
  code: 'code',
  url: 'link',
  email: 'mail',
}

const lookOf = (o: TextOptions): Field['look'] => (o.covered ? 'secret' : Looks[o.lines ?? o.optionType ?? ''])
const lineType = ({ covered, optionType }: TextOptions) =>
  covered ? 'password' : optionType === 'url' || optionType === 'email' ? optionType : 'text'

/** Sort key of rows without a text: after every other. */
const NoKey = Buffer.from([0xff])
const sortKey = (key: (text: string) => string | Buffer, text: string): Buffer => {
  const made = key(text)
  return typeof made === 'string' ? Buffer.from(made) : made
}

type TextField<O> = Field<{ cols: { '': Nullable<O, string> }; in: Nullable<O, string>; optional: Omittable<O> }>

/** A string, stored as TEXT. A nullable unique one keeps "" as null, so that several rows may have none. */
export function text<const O extends TextOptions = {}>(options?: O): TextField<O> {
  const o: TextOptions = options ?? {}
  const required = isRequired(o)
  const emptyAsNull = Boolean(o.nullable && (o.unique || !o.blank))
  const suffixes: Record<string, (text: string) => string | Buffer> = {
    ...(o.natural ? { _sort: naturalKey } : {}),
    ...o.keys,
  }
  const stored = (value: unknown): Stored => (value === '' && emptyAsNull ? null : (value as Stored))
  const self = {
    kind: 'text',
    ...plainTexts(o),
    options: o,
    required,
    readOnly: o.readOnly ?? false,
    unsaid: o.nullable ? null : '',
    columns: (name: string) => ({
      [name]: {
        type: 'text' as const,
        null: o.nullable ?? false,
        ...(o.nullable ? {} : { default: o.default ?? '' }),
        ...(o.index ? { index: true } : {}),
      },
      ...Object.fromEntries(
        Object.keys(suffixes).map((s) => [
          name + s,
          { type: 'blob' as const, ...(s === '_sort' ? { index: true, beside: [name] } : {}) },
        ]),
      ),
    }),
    write: (value: unknown, name: string): Row => {
      const kept = stored(value)
      const row: Row = { [name]: kept }
      for (const s in suffixes) row[name + s] = kept === null ? NoKey : sortKey(suffixes[s]!, kept as string)
      return row
    },
    ...(Object.keys(suffixes).length ? { derived: (row: Row, name: string) => self.write(row[name], name) } : {}),
    output: (t: string, name: string) => [[name, `${t}.${q(name)}`] as const],
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) => (raw === null ? null : String(raw)),
    filters: (name: string) => ({ [name]: stringFilter(name, { iexact: o.iexact ?? false }) }),
    graphql: { type: `String${needed(o.nullable)}`, input: 'StrFilterLookup' },
    control: (): Control =>
      o.lines
        ? { as: 'area', markdown: o.lines === 'markdown', code: o.lines === 'code', max: o.max }
        : { as: 'line', type: lineType(o), max: o.max },
    ...(lookOf(o) ? { look: lookOf(o)! } : {}),
    describe: (name: string): Record<string, OptionFacts> =>
      facts(o.optionType ?? 'string', name, self, o.max ? { max_length: o.max } : {}),
    schema: (name: string) => {
      const type = {
        type: o.nullable ? ['string', 'null'] : 'string',
        ...(o.format && !o.blank ? { format: o.format } : {}),
      } // an empty text has no format
      return {
        [name]: {
          read: type,
          write: {
            ...type,
            ...(o.max ? { maxLength: o.max } : {}),
            ...(o.blank || o.nullable ? {} : { minLength: 1 }),
            // Flags, and classes of Unicode, are not known to the patterns of every language.
            ...(o.pattern && !o.blank && o.pattern.regex.flags === '' ? { pattern: o.pattern.regex.source } : {}),
          },
        },
      }
    },
    input: () => {
      const one = v.pipe(
        stringInput,
        v.transform((x) => (o.lower ? x.toLowerCase() : x)),
        v.check((x) => x !== '' || Boolean(o.blank || o.nullable), 'This field may not be blank.'),
        v.check(
          (x) => o.max === undefined || x.length <= o.max || lettersOf(x) <= o.max,
          `Ensure this field has no more than ${o.max} characters.`,
        ),
        v.check((x) => x === '' || !o.pattern || o.pattern.regex.test(x), o.pattern?.message ?? ''),
      )
      return o.nullable ? v.nullable(one) : one
    },
    ...(o.convert ? { resolve: (value: unknown) => (value ? o.convert!(value as string) : value) } : {}),
  }
  return self
}

const Slug = {
  regex: /^[-a-zA-Z0-9_]+$/,
  message: 'Enter a valid slug consisting of letters, numbers, underscores or hyphens.',
}
/** A URL-friendly name. */
export const slug = <const O extends TextOptions = {}>(options?: O): TextField<O> =>
  ({
    ...text({ max: 100, pattern: Slug, optionType: 'slug', ...options }),
    control: () => ({ as: 'line', type: 'text', max: 100, from: 'name' }),
  }) as unknown as TextField<O>

const Color = { regex: /^[0-9a-f]{6}$/, message: 'Enter a valid hexadecimal RGB color code.' }
/** Six lower-case hexadecimal digits. */
export const color = <const O extends TextOptions = {}>(options?: O): TextField<O> =>
  ({
    ...text({ max: 6, pattern: Color, ...options }),
    control: () => ({ as: 'color' }),
    graphql: { type: `String${needed(options?.nullable)}`, input: { among: ColorChoices } },
    look: 'color',
  }) as unknown as TextField<O>

const Url = {
  regex: /^(file|ftp|ftps|http|https|irc|mailto|sftp|ssh|tel|telnet|tftp|vnc|xmpp):\S+$/i,
  message: 'Enter a valid URL.',
}
/** A link with one of the allowed schemes. */
export const url = <const O extends TextOptions = {}>(options?: O): TextField<O> =>
  text({ max: 200, pattern: Url, optionType: 'url', format: 'uri', ...options }) as unknown as TextField<O>

const Email = { regex: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, message: 'Enter a valid email address.' }
/** An e-mail address. */
export const email = <const O extends TextOptions = {}>(options?: O): TextField<O> =>
  text({ max: 254, pattern: Email, optionType: 'email', format: 'email', ...options }) as unknown as TextField<O>
