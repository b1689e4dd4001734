import { IdsOfOne } from '../store/own-ids.ts'
import type { AnyModel } from '../declare/model.ts'
import { q } from '../lib/sql.ts'
import type { Store } from '../store/open.ts'
import { Refusal } from './refusal.ts'

/** Lists are seldom of equal length: one may have so many times the average. */
const Uneven = 2

/** What a query costs: about how many rows it may touch, known before it runs. */
export class Cost {
  readonly #store: Pick<Store, 'db'>
  readonly #most: number
  readonly #sizes = new Map<AnyModel, number>()
  #spent = 0

  constructor(store: Pick<Store, 'db'>, most: number) {
    this.#store = store
    this.#most = most
  }

  get spent(): number {
    return this.#spent
  }

  /** Notes rows that may be touched. Throws `Refusal` past the bound. */
  spend(rows: number): void {
    this.#spent += rows
    if (this.#spent > this.#most)
      throw new Refusal(
        `This query may touch more than ${this.#most} rows, which is the most that graphql_max_rows allows: ` +
          'ask for smaller pages, or for less below them.',
      )
  }

  /** No less than the number of rows of a model, without counting them. */
  size(m: AnyModel): number {
    const known = this.#sizes.get(m)
    if (known !== undefined) return known
    const { db } = this.#store
    const { others } = db.get<{ others: number }>(
      `select count(*) as others from ${q(m.table)} where id >= ${IdsOfOne}`, // of kits: few
    )!
    const size = db.rows.lastOwn(m.table) + others
    this.#sizes.set(m, size)
    return size
  }

  /** About how many objects of a model belong to one of another, where they are shared out unevenly. */
  fan(of: AnyModel, to: AnyModel): number {
    return Math.max(1, Math.ceil((Uneven * this.size(to)) / Math.max(1, this.size(of))))
  }
}
