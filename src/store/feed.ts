import type { AnyModel } from '../declare/model.ts'
import type { Authorship } from './changelog.ts'

/** What a request did to one object, as its change records say. */
export interface Change {
  m: AnyModel
  id: number
  action: 'create' | 'update' | 'delete'
  /** Display text of the object. */
  label: string
  /** Snapshots before and after; null where the object was not there. */
  before: string | null
  after: string | null
  by: Authorship
  /** What the listener kept of an object that is gone. */
  kept: unknown
}

/** A listener to changes. */
interface Listener {
  /** Whether changes of a model matter; asked on every write, so it must cost nothing. */
  wants: (m: AnyModel) => boolean
  /** What to remember of an object that is about to go. */
  keep: (m: AnyModel, id: number) => unknown
  /** The changes of one request, at its end and inside its transaction. */
  changed: (changes: readonly Change[]) => void
}

/** Collects the changes of each request: one an object; a deletion outweighs the rest, a new object stays new. */
export class Feed {
  listener: Listener | undefined
  /** Whose change was recorded last, since the piece of work began. */
  by: Authorship | undefined
  #changes = new Map<string, Change>()

  /** What has been collected so far: set again by whoever takes back what was done since. */
  get told(): ReadonlyMap<string, Change> {
    return new Map(this.#changes)
  }

  set told(changes: ReadonlyMap<string, Change>) {
    this.#changes = new Map(changes)
  }

  wants(m: AnyModel): boolean {
    return this.listener?.wants(m) ?? false
  }

  keep(m: AnyModel, id: number): unknown {
    return this.wants(m) ? this.listener!.keep(m, id) : undefined
  }

  note(change: Change): void {
    if (change.kept === undefined && !this.wants(change.m)) return
    const key = `${change.m.name}:${change.id}`
    const earlier = this.#changes.get(key)
    if (!earlier) this.#changes.set(key, change)
    else
      this.#changes.set(key, {
        ...change,
        action: change.action === 'update' ? earlier.action : change.action,
        before: earlier.before,
      })
  }

  /** Hands over what has been collected. */
  handOver(): void {
    if (this.#changes.size === 0) return
    const changes = [...this.#changes.values()]
    this.#changes.clear()
    this.listener?.changed(changes)
  }

  /** Forgets what a failed request did. */
  drop(): void {
    this.#changes.clear()
    this.by = undefined
  }
}
