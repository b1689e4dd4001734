import { createApp } from '../../src/server/app.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { AdminToken } from './launch.ts'

/** Somebody who answers from the same database and keeps nothing: what is right, whatever a server remembers. */
export function forgetful(store: Store): { other: Store; ask: (path: string) => Promise<any> } {
  const other = openStore({ file: store.db.raw.name, uploads: store.uploads, config: store.config })
  const app = createApp(other, store.config)
  const headers = { authorization: `Token ${AdminToken}` }
  const ask = async (path: string) => {
    other.db.touchAll()
    return (await app.fetch(new Request(`http://127.0.0.1${path}`, { headers }))).json()
  }
  return { other, ask }
}
