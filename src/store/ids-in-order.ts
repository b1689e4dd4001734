/** Ids, four bytes each where they fit: those of later kits do not. */
export type Ids = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
const MaxSmall = 2 ** 32 - 1

/** Ids lie far apart, as those of kits do, where the highest is so many times their number. */
const Sparse = 8
/** Changes after which ranks are told anew. */
const MaxDrift = 2000
/** Ids that are sorted by the ranks of a list that changed: as many as take no longer than to tell ranks anew. */
const mostSorted = (length: number): number => Math.max(200, length >> 8)

/**
 * Ranks of ids in a list, by which others are put in its order: from 1 when they are told, and between those of its
 * neighbours for an id that is added later, so that one change does not have all of them told anew.
 */
class Ranks {
  readonly #told: Uint32Array | Map<number, number>
  readonly #added = new Map<number, number>()
  /** Ids that were added and removed since. */
  drift = 0

  constructor(ids: Ids, length: number, last: number) {
    const told = last > length * Sparse ? new Map<number, number>() : new Uint32Array(last + 1)
    if (told instanceof Map) for (let i = 0; i < length; ) told.set(ids[i]!, ++i)
    else for (let i = 0; i < length; ) told[ids[i]!] = ++i
    this.#told = told
  }

  /** The rank of an id; 0 where it is not in the list. */
  of(id: number): number {
    const told = this.#told instanceof Map ? this.#told.get(id) : this.#told[id]
    return told || (this.#added.get(id) ?? 0)
  }

  remove(id: number): void {
    this.drift++
    this.#added.delete(id)
    if (this.#told instanceof Map) this.#told.delete(id)
    else if (id < this.#told.length) this.#told[id] = 0
  }

  /** Ranks an id between two others, 0 for none; false where there is no room. */
  add(id: number, before: number, after: number): boolean {
    this.drift++
    const rank = after === 0 ? before + 1 : (before + after) / 2
    this.#added.set(id, rank)
    return rank > before && (after === 0 || rank < after)
  }
}

/** Ids of rows in some order, a few of which come and go. */
export class IdsInOrder {
  ids: Ids
  length: number
  #ranks: Ranks | undefined
  #highest: number | undefined

  constructor(ids: Ids, length = ids.length) {
    this.ids = ids
    this.length = length
  }

  /** Those of some ids that are here, each once, in order. */
  inOrder(some: readonly number[]): Ids {
    if (this.#ranks && this.#ranks.drift > 0 && some.length > mostSorted(this.length)) this.#ranks = undefined
    const ranks = this.#ranksOf()
    if (ranks.drift > 0) {
      const here = [...new Set(some)].filter((id) => ranks.of(id) > 0).sort((a, b) => ranks.of(a) - ranks.of(b))
      return this.ids instanceof Uint32Array ? Uint32Array.from(here) : Float64Array.from(here)
    }
    const places = Uint32Array.from(some, (id) => ranks.of(id)).sort()
    const found = this.ids.slice(0, places.length)
    let length = 0
    let last = 0
    for (const rank of places)
      if (rank !== last) {
        last = rank
        found[length++] = this.ids[rank - 1]!
      }
    return found.subarray(0, length)
  }

  add(id: number, at = this.length): void {
    if (this.#highest !== undefined && id > this.#highest) this.#highest = id
    if (id > MaxSmall && this.ids instanceof Uint32Array) this.ids = Float64Array.from(this.ids)
    if (this.length === this.ids.length) {
      const size = this.length + (this.length >> 4) + 64
      const grown = this.ids instanceof Uint32Array ? new Uint32Array(size) : new Float64Array(size)
      grown.set(this.ids)
      this.ids = grown
    }
    this.ids.copyWithin(at + 1, at, this.length)
    this.ids[at] = id
    this.length++
    const rankAt = (place: number) => this.#ranks!.of(this.ids[place]!)
    if (!this.#ranks) return
    const [before, after] = [at > 0 ? rankAt(at - 1) : 0, at + 1 < this.length ? rankAt(at + 1) : 0]
    if (!this.#ranks.add(id, before, after) || this.#ranks.drift > MaxDrift) this.#ranks = undefined
  }

  remove(id: number): void {
    const at = this.#placeOf(id)
    if (at < 0) return
    this.#ranks?.remove(id)
    this.ids.copyWithin(at, at + 1, this.length)
    this.length--
  }

  /** The place of an id, from 0; -1 where it is not here. Not looked for everywhere, since a list may be long. */
  #placeOf(id: number): number {
    const ranks = this.#ranks
    const rank = ranks?.of(id)
    if (rank === 0 || id > this.#last()) return -1
    const from = ranks && rank ? Math.max(0, Math.floor(rank) - 1 - ranks.drift) : 0
    const at = this.ids.indexOf(id, from)
    return at < this.length ? at : -1
  }

  #ranksOf(): Ranks {
    this.#ranks ??= new Ranks(this.ids, this.length, this.#last())
    return this.#ranks
  }

  /** An id that none of these is above. */
  #last(): number {
    if (this.#highest !== undefined) return this.#highest
    const { ids, length } = this
    let highest = 0
    for (let i = 0; i < length; i++) if (ids[i]! > highest) highest = ids[i]!
    this.#highest = highest
    return highest
  }
}
