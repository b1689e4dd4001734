import type Database from 'better-sqlite3'
import { Lru } from '../lib/lru.ts'

/** A statement that took long: milliseconds, its text without values, and how SQLite goes about it. */
interface SlowStatement {
  ms: number
  sql: string
  plan: readonly string[]
}

/** Statements that are remembered, those of one request that are told, letters of a text, and plans that are kept. */
const Max = { kept: 32, told: 3, letters: 1500, plans: 200 }

/** Remembers statements that took long, with their plans, until the requests that ran them are logged. */
export class SlowStatements {
  /** Milliseconds from which on a statement counts; nothing is measured while that is Infinity. */
  from = Infinity
  readonly #kept: (SlowStatement & { began: number })[] = []
  readonly #plans = new Lru<string, readonly string[]>(Max.plans)

  /** Has a statement tell how long it takes. */
  watch(raw: Database.Database, statement: Database.Statement<unknown[]>, sql: string): void {
    if (this.from === Infinity) return
    for (const verb of ['get', 'all', 'run'] as const) {
      const work = statement[verb].bind(statement) as (...values: unknown[]) => never
      statement[verb] = (...values: unknown[]) => {
        const began = performance.now()
        try {
          return work(...values)
        } finally {
          const ms = performance.now() - began
          if (ms >= this.from) this.#note(raw, sql, values, began, ms)
        }
      }
    }
  }

  /** The slowest of those that ran since a moment of `performance.now()`. */
  since(began: number): SlowStatement[] {
    return this.#kept
      .filter((each) => each.began >= began)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, Max.told)
      .map(({ ms, sql, plan }) => ({ ms: Math.round(ms * 10) / 10, sql, plan }))
  }

  #note(raw: Database.Database, sql: string, values: readonly unknown[], began: number, ms: number): void {
    const plan = this.#plans.get(sql) ?? planOf(raw, sql, values)
    this.#plans.set(sql, plan)
    this.#kept.push({ ms, sql: withoutValues(sql), plan, began })
    if (this.#kept.length > Max.kept) this.#kept.shift()
  }
}

function planOf(raw: Database.Database, sql: string, values: readonly unknown[]): string[] {
  try {
    const steps = raw.prepare(`explain query plan ${sql}`).all(...values) as {
      id: number
      parent: number
      detail: string
    }[]
    const depths = new Map<number, number>()
    return steps.map(({ id, parent, detail }) => {
      const depth = (depths.get(parent) ?? -1) + 1
      depths.set(id, depth)
      return '  '.repeat(depth) + withoutValues(detail)
    })
  } catch (error) {
    return [`no plan: ${(error as Error).message}`]
  }
}

/**
 * A statement without the texts in it: values are bound, but nobody should have to trust that. The middle of a long one
 * is left out: its end says of which tables it reads.
 */
function withoutValues(sql: string): string {
  const text = sql
    .replaceAll(/'(?:[^']|'')*'/g, "'…'")
    .replaceAll(/\s+/g, ' ')
    .replace(/^ /, '')
  if (text.length <= Max.letters) return text
  const part = Math.floor(Max.letters / 2)
  return `${text.slice(0, part)} … ${text.slice(-part)}`
}
