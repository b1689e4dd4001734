import type { ParamIndexMap, Params, Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { Lru } from '../lib/lru.ts'

/** Paths that are remembered, and letters of one: anybody may ask for any. */
const Max = { paths: 500, letters: 100 }
/** The id in a path. */
const Id = /\/(\d{1,15})(?=\/)/
const NumberIn = /\/\d/
/** Stands for the id in what is remembered; no path has it, since an address ends there. */
const AnyId = '#'

/** What was found: handlers with the places of their parameters among the values of the path, the id first of these. */
interface Found<T> {
  handlers: [T, ParamIndexMap][]
  values: readonly string[]
}

/**
 * Finds routes, and remembers those of paths that are asked for again and again, whatever object they name: no route
 * tells one id from another.
 */
export class KnownRoutes<T> implements Router<T> {
  readonly name = 'KnownRoutes'
  readonly #routes = new TrieRouter<T>()
  readonly #found = new Lru<string, Found<T>>(Max.paths)

  add(method: string, path: string, handler: T): void {
    this.#found.clear()
    this.#routes.add(method, path, handler)
  }

  match(method: string, path: string): Result<T> {
    const id = Id.exec(path)?.[1] ?? ''
    const shape = path.replace(Id, `/${AnyId}`)
    if (path.length > Max.letters || NumberIn.test(shape)) return this.#routes.match(method, path) // of many numbers
    const key = `${method} ${shape}`
    let found = this.#found.get(key)
    if (!found) {
      found = numbered(this.#routes.match(method, path)[0] as [T, Params][], id)
      this.#found.set(key, found)
    }
    return [found.handlers, [id, ...found.values]]
  }
}

/** Parameters by their places: the one that is the id at the first, each other value at its own. */
function numbered<T>(found: readonly [T, Params][], id: string): Found<T> {
  const values: string[] = []
  const placeOf = (value: string): number => (value === id ? 0 : values.push(value))
  return {
    handlers: found.map(([handler, params]) => [
      handler,
      Object.fromEntries(Object.entries(params).map(([name, value]) => [name, placeOf(value)])),
    ]),
    values,
  }
}
