import type { Connection } from '../../store/database.ts'

/** How far a model's copy is. */
export interface Stage {
  model: string
  /** True when its table was empty: then ids stay as they are, and else `import_id` has each one's id here. */
  keeps: boolean
  /** Rows that were here before, and how many objects of the source were found among them. */
  before: number
  matched: number
  /** Objects of the source whose ids are settled, and that are copied. */
  settled: number
  copied: number
  isSettled: boolean
  isCopied: boolean
}

type StageRow = { [K in keyof Stage]: Stage[K] extends boolean ? number : Stage[K] }

/** What a copy remembers in the database it fills, page by page, so that it can go on after an interruption. */
export class State {
  readonly #db: Connection
  readonly #ids = new Map<string, Map<number, number>>()
  readonly #stages = new Map<string, Stage>()

  constructor(db: Connection) {
    this.#db = db
    db.raw.exec(`
      create table if not exists import_source (url text primary key, finished integer not null default 1) strict;
      create table if not exists import_stage (
        model text primary key, keeps integer, before integer, matched integer, settled integer, copied integer,
        isSettled integer, isCopied integer
      ) strict;
      create table if not exists import_id (
        model text, source integer, target integer, isMatch integer, primary key (model, source)
      ) strict, without rowid`)
    if (!db.get("select 1 from pragma_table_info('import_source') where name = 'finished'"))
      db.raw.exec('alter table import_source add column finished integer not null default 1')
    for (const row of db.all<StageRow>('select * from import_stage')) {
      this.#stages.set(row.model, {
        ...row,
        keeps: row.keeps === 1,
        isSettled: row.isSettled === 1,
        isCopied: row.isCopied === 1,
      })
    }
    for (const { model, source, target } of db.all<{ model: string; source: number; target: number }>(
      'select model, source, target from import_id',
    ))
      this.#idsOf(model).set(source, target)
  }

  /** Where the rows come from; undefined before the first import. */
  get source(): string | undefined {
    return this.#db.get<{ url: string }>('select url from import_source')?.url
  }

  set source(url: string) {
    this.#db.run('insert into import_source (url, finished) values (?, 0)', url)
  }

  /** Whether all is here that was asked for; a server does not serve the half of it. */
  set finished(is: boolean) {
    this.#db.run('update import_source set finished = ?', Number(is))
  }

  stage(model: string): Stage | undefined {
    return this.#stages.get(model)
  }

  keep(stage: Stage): void {
    this.#stages.set(stage.model, stage)
    const values = [
      stage.model,
      Number(stage.keeps),
      stage.before,
      stage.matched,
      stage.settled,
      stage.copied,
      Number(stage.isSettled),
      Number(stage.isCopied),
    ]
    this.#db.run('insert or replace into import_stage values (?, ?, ?, ?, ?, ?, ?, ?)', ...values)
  }

  /** These models are to be looked at once more: what came since is added. */
  startOver(models: readonly string[]): void {
    for (const stage of models.map((name) => this.#stages.get(name)!))
      this.keep({ ...stage, settled: 0, copied: 0, isSettled: stage.keeps, isCopied: false })
  }

  /** Here's id of a source's object; undefined when it has none yet. */
  id(model: string, source: number): number | undefined {
    return this.stage(model)?.keeps === false ? this.#idsOf(model).get(source) : source
  }

  setId(model: string, source: number, target: number, isMatch: boolean): void {
    this.#idsOf(model).set(source, target)
    this.#db.run('insert or replace into import_id values (?, ?, ?, ?)', model, source, target, Number(isMatch))
  }

  /** True for an object of the source that was here before. */
  isMatch(model: string, source: number): boolean {
    return (
      this.#db.get('select 1 from import_id where model = ? and source = ? and isMatch = 1', model, source) !==
      undefined
    )
  }

  #idsOf(model: string): Map<number, number> {
    const known = this.#ids.get(model) ?? new Map<number, number>()
    this.#ids.set(model, known)
    return known
  }
}
