import { checks } from '../../src/services/checks.ts'
import type { Store } from '../../src/store/open.ts'

const found = (store: Store, asked: readonly { name: string; run: (typeof checks)[number]['run'] }[]): string[] =>
  store.db.raw.transaction(() =>
    asked.flatMap(({ name, run }) => run(store, false).problems.map((text) => `${name}: ${text}`)),
  )()

/** What `cabinet check` finds; in one transaction, so that it asks once for what it asks by ranges of ids else. */
export const problemsOf = (store: Store): string[] => found(store, checks)

const ofRows = checks.filter(({ name }) => !['integrity', 'search'].includes(name))
/** The same but for the file and the index of the search, which triggers keep: once at the end is enough for those. */
export const problemsOfRows = (store: Store): string[] => found(store, ofRows)
