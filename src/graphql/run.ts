import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type FieldNode,
  execute,
  getVariableValues,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Config } from '../config.ts'
import { customParameter } from '../filters/custom.ts'
import { FilterError } from '../filters/filter.ts'
import { measure } from '../lib/image.ts'
import { Lru } from '../lib/lru.ts'
import { RegexTooSlow } from '../lib/regex.ts'
import { q } from '../lib/sql.ts'
import type { AnyModel } from '../declare/model.ts'
import { type Actor, binder } from '../engine/actor.ts'
import { modelNamed } from '../engine/catalog.ts'
import { idsOf } from '../http/lists.ts'
import type { Store } from '../store/open.ts'
import { rowsHolding, valuesHolding } from '../store/search-index.ts'
import { completed, withDisplays } from './answer.ts'
import { Cost } from './cost.ts'
import { fragmentsOf, operationOf, read } from './document.ts'
import { hasLongList, LongList } from './limits.ts'
import { idOf } from './lookups.ts'
import type { Query } from './request.ts'
import { frame, Planner, type PlanSource, type Shape } from './plan.ts'
import { BadRequest, Refusal } from './refusal.ts'
import { rootOf, schema, wholeSchema } from './schema.ts'
import { below, fieldsIn, type Operation } from './selection.ts'

/** Who asks, and of what. */
interface Asking {
  readonly store: Store
  readonly config: Config
  readonly actor: Actor
}

/** The JSON of a query's answer, errors and all. Throws `BadRequest` where there is no operation to run. */
export async function run({ query, variables, operationName }: Query, asking: Asking, isGet = false): Promise<string> {
  const { config } = asking
  const { document, errors } = read(query, {
    aliases: config.graphqlMaxAliases,
    depth: config.graphqlMaxQueryDepth,
  })
  if (!document) return failed(errors)
  const operation = operationOf(document, operationName)
  if (!operation && operationName !== undefined)
    throw new BadRequest(`Unknown operation named "${operationName.slice(0, 100)}".`)
  if (!operation) throw new BadRequest('The document has no operation.')
  if (isGet && operation.operation !== 'query')
    throw new BadRequest(`${operation.operation}s are not allowed when using GET`)
  if (errors.length) return failed(errors)
  if (operation.operation !== 'query')
    return failed([new GraphQLError(`This server has no ${operation.operation}s.`, { nodes: operation })])
  if (hasLongList(variables)) return failed([new GraphQLError(LongList)])
  const values = getVariableValues(schema(), operation.variableDefinitions ?? [], variables, { maxErrors: 50 })
  if (values.errors) return failed(values.errors)
  const running = { fragments: fragmentsOf(document), variables: values.variableValues }
  return new Run(asking, running, operation, variables).answer()
}

const failed = (errors: readonly GraphQLError[]): string => JSON.stringify({ data: null, errors })

/** Milliseconds of work after which other requests have their turn. */
const Turn = 20
/**
 * Rows that the first statement of a list may touch, with those below its own; later ones are as long as the first let
 * expect.
 */
const FirstRows = 2000
/** Characters of an answer. */
const MaxAnswer = 64 * 1024 * 1024

class Run {
  readonly #asking: Asking
  readonly #operation: Operation
  readonly #node: OperationDefinitionNode
  readonly #given: Readonly<Record<string, unknown>>
  readonly #cost: Cost
  readonly #errors: GraphQLError[] = []
  readonly #until: number
  #turned = performance.now()
  #size = 0

  constructor(
    asking: Asking,
    operation: Operation,
    node: OperationDefinitionNode,
    given: Readonly<Record<string, unknown>>,
  ) {
    this.#asking = asking
    this.#operation = operation
    this.#node = node
    this.#given = given
    this.#cost = new Cost(asking.store, asking.config.graphqlMaxRows)
    this.#until = performance.now() + asking.config.graphqlTimeout * 1000
  }

  /** Members of the answer one after another; the first that fails ends it, as none of them may be null. */
  async answer(): Promise<string> {
    const members: string[] = []
    for (const [key, nodes] of fieldsIn('Query', [this.#node.selectionSet], this.#operation)) {
      const json = await this.#member(key, nodes)
      if (json === undefined) return failed(this.#errors.slice(-1))
      members.push(`${JSON.stringify(key)}:${json}`)
    }
    const errors = this.#errors.length ? `,"errors":${JSON.stringify(this.#errors)}` : ''
    return `{"data":{${members.join(',')}}${errors}}`
  }

  /** JSON of one member of `Query`; undefined after an error. */
  async #member(key: string, nodes: readonly FieldNode[]): Promise<string | undefined> {
    const [node] = nodes as [FieldNode]
    const name = node.name.value
    if (name === '__typename') return '"Query"'
    const root = rootOf(name)
    try {
      if (!root) return await this.#introspect(key, nodes)
      return root.isList ? await this.#list(root.model, key, nodes) : this.#one(root.model, key, nodes)
    } catch (error) {
      const isOurs = error instanceof Refusal || error instanceof FilterError || error instanceof RegexTooSlow
      if (!isOurs && !(error instanceof GraphQLError)) throw error
      this.#errors.push(new GraphQLError(error.message, { nodes, path: [key] }))
      return undefined
    }
  }

  /** What the schema says of itself is answered by graphql-js. */
  async #introspect(key: string, nodes: readonly FieldNode[]): Promise<string> {
    const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: nodes }
    const definitions = [{ ...this.#node, selectionSet }, ...this.#operation.fragments.values()]
    const { data, errors } = await execute({
      schema: wholeSchema(),
      document: { kind: Kind.DOCUMENT, definitions },
      variableValues: this.#given,
    })
    if (errors?.length) throw errors[0]!
    return JSON.stringify(data![key])
  }

  #one(m: AnyModel, key: string, nodes: readonly FieldNode[]): string | undefined {
    const c = this.#source()
    const planner = new Planner(this.#operation, c)
    const id = idOf(planner.id(nodes[0]!))
    const shape: Shape = new Map()
    const into = frame()
    const json = planner.object(m, 't', below(nodes), { rows: 1, shape, into })
    const visible = planner.visible(m, 't')
    const { db } = this.#asking.store
    const found = prepared(
      db,
      `select json(${json}) as json from ${q(m.table)} t ${into.joins.join(' ')}
        where t.id = :id${visible ? ` and ${visible}` : ''}`,
    ).get({ ...c.values, id }) as { json: string } | undefined
    if (!found) throw new Refusal(`No ${m.objectName} matches the given query.`)
    return this.#complete(found.json, shape, [key], nodes)
  }

  async #list(m: AnyModel, key: string, nodes: readonly FieldNode[]): Promise<string | undefined> {
    const c = this.#source()
    const planner = new Planner(this.#operation, c)
    const page = planner.list(m, nodes[0]!)
    const shape: Shape = new Map()
    const into = frame()
    const json = planner.object(m, 't', below(nodes), { rows: page.rows, shape, into })
    const { db } = this.#asking.store
    const ids = (prepared(db, page.sql).all(c.values) as { id: number }[]).map(({ id }) => id)
    const statement = prepared(
      db,
      `select json(${json}) as json
        from json_each(:ids) j cross join ${q(m.table)} t on t.id = j.value ${into.joins.join(' ')}`,
    )
    const rows: string[] = []
    let size = Math.max(1, Math.floor((FirstRows * Math.max(1, page.rows)) / Math.max(1, this.#cost.spent)))
    for (let from = 0; from < ids.length; ) {
      const started = performance.now()
      const some = ids.slice(from, from + size)
      for (const row of statement.all({ ...c.values, ids: JSON.stringify(some) }) as { json: string }[]) {
        const made = this.#complete(row.json, shape, [key, rows.length], nodes)
        if (made === undefined) return undefined
        rows.push(made)
        this.#size += made.length
      }
      from += some.length
      const took = Math.max(performance.now() - started, 0.1)
      size = Math.max(1, Math.min(1000, Math.floor((size * Turn) / 2 / took), size * 10))
      if (this.#size > MaxAnswer) throw new Refusal(`The answer has more than ${MaxAnswer} characters: ask for less.`)
      await this.#turn(from < ids.length)
    }
    return `[${rows.join(',')}]`
  }

  /**
   * Lets other requests have their turn once this one worked for a while. Throws `Refusal` when it takes too long in
   * all.
   */
  async #turn(isMoreToCome: boolean): Promise<void> {
    const now = performance.now()
    if (!isMoreToCome || now - this.#turned < Turn) return
    if (now > this.#until)
      throw new Refusal(
        `This query takes longer than ${this.#asking.config.graphqlTimeout} s, which graphql_timeout allows.`,
      )
    await new Promise((resolve) => setImmediate(resolve))
    this.#turned = performance.now()
  }

  #complete(
    json: string,
    shape: Shape,
    path: readonly (string | number)[],
    nodes: readonly FieldNode[],
  ): string | undefined {
    const made = completed(withDisplays(json, this.#asking.store), shape, path)
    for (const lack of made.lacks) this.#errors.push(new GraphQLError(lack.message, { nodes, path: lack.path }))
    return made.json
  }

  #source(): PlanSource {
    const { store, actor, config } = this.#asking
    const c = binder('g')
    serveUploads(store)
    return {
      ...c,
      actor,
      userId: actor.userId,
      idsOf: (model, attribute, value) => idsOf({ store }, modelNamed(model), attribute, value, c),
      holding: rowsHolding(store.db, c.bind),
      valuesHolding: valuesHolding(store.db),
      custom: (of, name) => customParameter(store.customFields.of(of), name),
      customNames: (of) => store.customFields.of(of).map(({ name }) => name),
      maxPageSize: config.maxPageSize,
      fan: (of, to) => this.#cost.fan(of, to),
      size: (of) => this.#cost.size(of),
      spend: (rows) => this.#cost.spend(rows),
    }
  }
}

type Prepared = ReturnType<Store['db']['prepare']>
/** Statements of the last queries, by database and text: those of a dashboard come again. */
const statements = new WeakMap<Store['db']['raw'], Lru<string, Prepared>>()

function prepared(db: Store['db'], sql: string): Prepared {
  const own = statements.get(db.raw) ?? new Lru<string, Prepared>(50)
  statements.set(db.raw, own)
  const known = own.get(sql)
  if (known) return known
  const made = compiled(db, sql)
  own.set(sql, made)
  return made
}

/** What SQLite says of a statement that is too much for it. */
const TooMuch = /too large|too many|at most \d+ tables|parser stack overflow/i

function compiled(db: Store['db'], sql: string): Prepared {
  try {
    return db.raw.prepare(sql) as Prepared
  } catch (error) {
    if (TooMuch.test((error as Error).message))
      throw new Refusal('The query has too many lists within each other, or compares too much: ask in several queries.')
    throw error
  }
}

const serving = new WeakSet<Store['db']>()
/** Gives SQL the size of uploaded images: what is not there or no image has none. */
function serveUploads({ db, uploads }: Pick<Store, 'db' | 'uploads'>): void {
  if (serving.has(db)) return
  serving.add(db)
  const known = new Lru<string, string>(1000)
  const facts = (path: unknown) => {
    const file = join(uploads, String(path))
    const key = `${stateOf(file)} ${file}` // another file may get its name
    const before = known.get(key)
    if (before) return before
    const made = JSON.stringify(factsOf(file))
    known.set(key, made)
    return made
  }
  db.teach((raw) => void raw.function('upload_facts', facts))
}

/** What another file in the same place has otherwise. */
function stateOf(file: string): string {
  try {
    const { mtimeMs, ino } = statSync(file)
    return `${mtimeMs} ${ino}`
  } catch {
    return 'gone'
  }
}

function factsOf(file: string): { size: number; width: number; height: number } {
  try {
    const bytes = readFileSync(file)
    const { width = 0, height = 0 } = measure(bytes) ?? {}
    return { size: bytes.length, width, height }
  } catch {
    return { size: 0, width: 0, height: 0 } // gone from the folder
  }
}
