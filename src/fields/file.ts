import * as v from 'valibot'
import { measure } from '../lib/image.ts'
import { Upload } from '../lib/upload.ts'
import type { Control } from './control.ts'
import { required } from './graph.ts'
import { type Common, type Field, FieldError } from './field.ts'
import { facts, type OptionFacts } from './facts.ts'
import type { ResolveContext } from './context.ts'
import { q } from '../lib/sql.ts'

interface FileOptions extends Common {
  /** Only images are taken. */
  image?: boolean
  /** Folder below the uploads folder. */
  folder?: string
  /** Longest path, as OPTIONS says it. */
  max?: number
}

/** An uploaded file: stored as its path below the uploads folder, shown as an absolute link under /media/. */
export function file(
  options?: FileOptions,
): Field<{ cols: { '': string | null }; in: Upload | null; optional: boolean }> {
  const o = options ?? {}
  const what = o.image ? 'image' : 'file'
  const self = {
    kind: 'file',
    options: { nullable: !o.required, ...o },
    required: o.required ?? false,
    upload: { folder: o.folder ?? what },
    missing: 'No file was submitted.',
    readOnly: o.readOnly ?? false,
    columns: (name: string) => ({ [name]: { type: 'text' as const, null: true } }),
    input: () =>
      v.nullable(
        v.custom(
          (x) => x instanceof Upload || (x === '' && !o.required),
          'The submitted data was not a file. Check the encoding type on the form.',
        ),
      ),
    resolve: (value: unknown, context: ResolveContext) => {
      if (!(value instanceof Upload)) return null
      if (value.bytes.length === 0) throw new FieldError('The submitted file is empty.')
      if (o.image && !measure(value.bytes))
        throw new FieldError(
          'Upload a valid image. The file you uploaded was either not an image or a corrupted image.',
        )
      return context.keep(o.folder ?? what, value)
    },
    write: (value: unknown, name: string) => ({ [name]: value as string | null }),
    output: (t: string, name: string) => [
      [
        name,
        `case when ${t}.${q(name)} is null or ${t}.${q(name)} = '' then null
          else :base || '/media/' || path_in_link(${t}.${q(name)}) end`,
      ] as const,
    ],
    compare: (t: string, name: string) => `${t}.${q(name)}`,
    parse: (raw: unknown) => raw as string,
    ...(o.image ? { graphql: { type: `DjangoImageType${required(!o.required)}` } } : {}),
    control: (): Control => ({ as: 'file', image: o.image ?? false }),
    ...(o.image ? { look: 'image' as const } : { look: 'link' as const }),
    describe: (name: string): Record<string, OptionFacts> =>
      facts(`${what} upload`, name, self, o.max ? { max_length: o.max } : {}),
    schema: (name: string) => ({
      [name]: {
        read: { type: ['string', 'null'], format: 'uri' },
        write: { type: ['string', 'null'], format: 'binary' },
      },
    }),
  }
  return self
}
