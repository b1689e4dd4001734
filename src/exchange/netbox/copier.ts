import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { measure, safeName } from '../../lib/image.ts'
import type { Field, Row } from '../../fields/field.ts'
import { q } from '../../lib/sql.ts'
import { fieldsOf, modelNamed } from '../../engine/catalog.ts'
import type { AnyModel } from '../../declare/model.ts'
import type { Store } from '../../store/open.ts'
import { keep } from '../../store/uploads.ts'
import { Upload } from '../../lib/upload.ts'
import { twinOf } from './match.ts'
import { copyOf, insertion, type Translate } from './rows.ts'
import { type Json, type Source, Unanswered } from './source.ts'
import type { Stage, State } from './state.ts'

/** Objects asked for at a time; a source may give fewer. */
const PageSize = 500
/** An id that no row has: what refers to it is found by the check of references. */
const Nobody = 0

interface CopierOptions {
  store: Store
  source: Source
  state: State
  /** Told of what cannot be copied as it is. */
  warn: (text: string) => void
  /** Told of how many objects were read. */
  seen: (objects: number) => void
}

type Files = ReadonlyMap<Json, Readonly<Record<string, Buffer>>>

/** Copies models page by page: each page and the note that it is there are one transaction. */
export class Copier {
  readonly #store: Store
  readonly #o: CopierOptions

  constructor(options: CopierOptions) {
    this.#store = options.store
    this.#o = options
  }

  /** Notes whether ids can stay, for all models at once: an object is referred to before it is copied. */
  begin(models: readonly AnyModel[]): void {
    this.#store.commit.now(() => {
      for (const m of models) {
        if (this.#o.state.stage(m.name)) continue
        const before = this.#store.db.get<{ n: number }>(`select count(*) as n from ${q(m.table)}`)!.n
        this.#o.state.keep({
          model: m.name,
          keeps: before === 0,
          before,
          matched: 0,
          settled: 0,
          copied: 0,
          isSettled: before === 0,
          isCopied: false,
        })
      }
    })
  }

  /**
   * Gives each object of a model whose table was not empty its id here: that of its twin, its own where that is free,
   * or a new one.
   */
  async settleIds(m: AnyModel): Promise<void> {
    const { source, state } = this.#o
    if (state.stage(m.name)!.isSettled) return
    const { db, customFields } = this.#store
    const taken = new Set(
      db
        .all<{ id: number }>(`select id from ${q(m.table)} union select target from import_id where model = ?`, m.name)
        .map(({ id }) => id),
    )
    let fresh = (await source.largestId(m.path)) + 1
    for (const id of taken) fresh = Math.max(fresh, id + 1)
    await this.#pages(m, 'settled', (page, stage) => {
      for (const json of page) {
        const id = Number(json.id)
        if (state.id(m.name, id) !== undefined) continue
        const twin = twinOf(db, m, copyOf(m, id, json, this.#translate, customFields.of(m)).columns)
        const target = twin ?? (taken.has(id) ? fresh++ : id)
        taken.add(target)
        state.setId(m.name, id, target, twin !== undefined)
        if (twin !== undefined) stage.matched++
      }
    })
  }

  /** Copies the objects of a model whose ids are settled. */
  async copy(m: AnyModel): Promise<void> {
    if (this.#o.state.stage(m.name)!.isCopied) return
    let files: Files = new Map()
    await this.#pages(
      m,
      'copied',
      (page) => {
        for (const json of page) {
          try {
            this.#keep(m, json, files.get(json) ?? {})
          } catch (error) {
            this.#o.warn(`${m.name} ${String(json.id)}: ${(error as Error).message}`)
          }
        }
      },
      async (page) => {
        files = await this.#filesOf(m, page)
      },
    )
  }

  readonly #translate: Translate = (model, name) => {
    if (typeof name === 'number') return this.#o.state.id(model, name) ?? Nobody
    return (
      this.#store.db.get<{ id: number }>(`select id from ${q(modelNamed(model).table)} where slug = ?`, name)?.id ??
      Nobody
    )
  }

  /** Reads on where the last page ended. */
  async #pages(
    m: AnyModel,
    counter: 'settled' | 'copied',
    work: (page: readonly Json[], stage: Stage) => void,
    before?: (page: readonly Json[]) => Promise<void>,
  ): Promise<void> {
    const { source, state, seen } = this.#o
    const done = counter === 'settled' ? 'isSettled' : 'isCopied'
    for (let isLast = false; !isLast; ) {
      const stage = { ...state.stage(m.name)! }
      const page = await source.page(m.path, stage[counter], PageSize)
      const results = page?.results ?? []
      await before?.(results)
      this.#store.commit.now(() => {
        work(results, stage)
        stage[counter] += results.length
        stage[done] = isLast = results.length === 0 || stage[counter] >= page!.count
        state.keep(stage)
      })
      seen(results.length)
    }
  }

  /** Stores one object, unless it is here already. */
  #keep(m: AnyModel, json: Json, files: Readonly<Record<string, Buffer>>): void {
    const source = Number(json.id)
    const id = this.#translate(m.name, source)
    if (id === Nobody || this.#o.state.isMatch(m.name, source)) return
    const { columns, more, files: links } = copyOf(m, id, json, this.#translate, this.#store.customFields.of(m))
    const known = this.#store.db.get<Row>(`select * from ${q(m.table)} where id = +?`, id)
    if (known) {
      this.#mend(m, known, columns, links, files)
      return
    }
    for (const [name, link] of Object.entries(links)) columns[name] = this.#place(m, name, link, files[name])
    if (m.name === 'extras.imageattachment') Object.assign(columns, sizeOf(files.image))
    const { sql, values } = insertion(m.table, { id, ...columns }, '(id)')
    if (this.#store.db.run(sql, ...values).changes === 0) return
    for (const row of more) {
      const insert = insertion(row.table, row.columns, '')
      this.#store.db.run(insert.sql, ...insert.values)
    }
  }

  /** Gives a row that is here the files that could not be read when it came; it is left where it was changed since. */
  #mend(
    m: AnyModel,
    known: Row,
    { last_updated: at }: Row,
    links: Readonly<Record<string, string>>,
    files: Readonly<Record<string, Buffer>>,
  ): void {
    const isHere = (path: unknown): boolean => Boolean(path) && existsSync(join(this.#store.uploads, String(path)))
    for (const [name, link] of Object.entries(links)) {
      if (!files[name] || isHere(known[name]) || (known.last_updated ?? null) !== (at ?? null)) continue
      const size = m.name === 'extras.imageattachment' ? sizeOf(files[name]) : {}
      const columns: Row = { [name]: this.#place(m, name, link, files[name]), ...size }
      const set = Object.keys(columns).map((column) => `${q(column)} = ?`)
      this.#store.db.run(
        `update ${q(m.table)} set ${set.join(', ')} where id = ?`,
        ...Object.values(columns),
        known.id as number,
      )
    }
  }

  async #filesOf(m: AnyModel, page: readonly Json[]): Promise<Files> {
    const names = fieldsOf(m)
      .filter(([, field]) => field.upload)
      .map(([name]) => name)
    const found = new Map<Json, Record<string, Buffer>>()
    for (const json of page) {
      for (const name of names) {
        const link = json[name]
        if (typeof link !== 'string' || link === '') continue
        try {
          found.set(json, { ...found.get(json), [name]: image(await this.#o.source.file(link)) })
        } catch (error) {
          // Where the whole source is gone, this page is to be read again, or its files would be missing for good.
          if (error instanceof Unanswered) await this.#o.source.version()
          this.#o.warn(`${m.name} ${String(json.id)}: ${name} cannot be read: ${(error as Error).message}`)
        }
      }
    }
    return found
  }

  /**
   * Where an uploaded file lies from now on. The name of one that could not be read is kept where the row needs one.
   */
  #place(m: AnyModel, name: string, link: string, bytes: Buffer | undefined): string | null {
    const { upload, required } = m.fields[name] as Field
    const { folder } = upload!
    const file = safeName(basename(decodeURIComponent(link.split('?')[0]!)))
    const path = `${folder}/${file}`
    if (!bytes) return required ? path : null
    const at = join(this.#store.uploads, path)
    return existsSync(at) && readFileSync(at).equals(bytes)
      ? path
      : keep(this.#store.uploads, folder, new Upload(file, bytes))
  }
}

function image(bytes: Buffer): Buffer {
  if (!measure(bytes)) throw new Error('what the source gives is not an image')
  return bytes
}

function sizeOf(bytes: Buffer | undefined): Record<string, number> {
  const size = bytes && measure(bytes)
  return size ? { image_width: size.width, image_height: size.height, image_size: bytes.length } : {}
}
