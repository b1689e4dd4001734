import * as v from 'valibot'
import { type Common, type Field, facts, type OptionFacts, q } from './field.ts'

export interface FileOptions extends Common { image?: boolean }

/** An uploaded file: stored as its path below the uploads folder, shown as an absolute link under /media/. */
export function file(options?: FileOptions): Field<{ cols: { '': string | null }; in: File | null; optional: boolean }> {
  const o = options ?? {}
  const what = o.image ? 'image' : 'file'
  const self = {
    kind: 'file', options: o, required: o.required ?? false, readOnly: o.readOnly ?? false,
    columns: (name: string) => ({ [name]: { type: 'text' as const, null: true } }),
    input: () => v.nullable(v.custom((x) => x instanceof File || x === '', 'The submitted data was not a file. Check the encoding type on the form.')),
    write: (value: unknown, name: string) => (value instanceof File ? {} : { [name]: (value as string) || null }),
    output: (t: string, name: string) => [[name, `case when ${t}.${q(name)} is null or ${t}.${q(name)} = '' then null else :base || '/media/' || ${t}.${q(name)} end`] as const],
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) => raw as string,
    describe: (name: string): Record<string, OptionFacts> => facts(`${what} upload`, name, self, { max_length: 100 }),
    schema: (name: string) => ({ [name]: { read: { type: ['string', 'null'], format: 'uri' }, write: { type: 'string', format: 'binary', nullable: true } } }),
  }
  return self
}
