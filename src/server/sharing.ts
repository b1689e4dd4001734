import type { RequestListener } from 'node:http'
import { availableParallelism } from 'node:os'
import type { Authenticator } from '../http/auth.ts'
import { modelAt, modelOfPage } from '../http/places.ts'
import type { Config } from '../config.ts'
import { everything } from '../store/changes.ts'
import type { Connection } from '../store/database.ts'
import { placeOf } from '../store/data-folder.ts'
import { restartLog } from '../store/checkpoints.ts'
import type { Store } from '../store/open.ts'
import type { Board } from './board.ts'
import { Dispatcher, type Shares } from './dispatch.ts'
import type { Meters } from './meters.ts'

/**
 * How many threads may take connections beside the first: one for each other core, or as many as are `asked` for. None
 * where requests of an address or token are bounded, since the first thread counts them.
 */
export function acceptorsOf(
  { workers, maxRequestsPerAddress, maxRequestsPerToken }: Config,
  asked = Math.min(workers, availableParallelism() - 1),
): number {
  return maxRequestsPerAddress > 0 || maxRequestsPerToken > 0 ? 0 : asked
}

/** How many rows there are at most of the model whose list or pages a path names, by its last id. */
export function rowsAt(db: Connection, path: string): number {
  const [, api, name = ''] = /^\/(api\/)?([\w-]+\/[\w-]+)\/(?:\?|$)/.exec(path) ?? []
  const m = api ? modelAt(name) : modelOfPage(name)
  return m ? db.rows.lastOwn(m.table) : 0
}

/** Shares requests with threads, which are told of what this one commits, and of what it hears that others did. */
export function sharing(
  store: Store,
  listener: RequestListener,
  authenticator: Authenticator,
  meters: Meters,
  board: Board,
  shares: Shares,
): Dispatcher {
  const { commit, config, db } = store
  let began = 0
  const dispatcher = new Dispatcher(
    listener,
    placeOf(config),
    {
      used: (use) => authenticator.noteUse(use),
      sync: () => db.sync(),
      checkpoint: () => restartLog(db.raw),
      rowsAt: (path) => rowsAt(db, path),
      turn: (isTheirs) => {
        if (isTheirs) {
          began = performance.now()
          commit.hold()
        } else {
          meters.commits.long.note((performance.now() - began) / 1000)
          db.sync()
          commit.release()
          commit.heard()
        }
      },
    },
    shares,
  )
  const numbered = numbering(store, board)
  db.onCommit = (changes) => dispatcher.tell(changes, numbered())
  db.explain = () => {
    dispatcher.tell([everything])
    return false
  }
  return dispatcher
}

/**
 * Numbers the commits of the first thread for those that do not ask it before they read: one that is missing was made
 * by another process. Answers what tells the number of the commit that was just made; none where that changed nothing.
 */
function numbering({ db }: Store, board: Board): () => number | undefined {
  let coming: number | undefined
  db.committing = {
    begin: () => {
      if (!board.commits) return
      coming = board.commits.now + 1 // nobody else commits in between
      board.coming = coming
    },
    fail: () => {
      coming = undefined
      board.coming = 0
    },
  }
  return () => {
    const made = coming
    coming = undefined
    if (made === undefined) return undefined
    if (board.commits!.now !== made - 1) {
      db.made(made)
      return made
    }
    board.coming = 0 // it wrote nothing: what somebody else commits next has that number
    return undefined
  }
}
